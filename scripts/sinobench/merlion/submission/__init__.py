"""Uploads to the challenge: written, described, validated."""
