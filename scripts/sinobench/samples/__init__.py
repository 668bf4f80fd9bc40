"""Makers of sample corpora: synthesized, and joined of real clips."""
