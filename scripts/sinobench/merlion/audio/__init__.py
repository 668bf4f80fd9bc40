"""Recordings: masked, cut into chunks, turned into features."""
