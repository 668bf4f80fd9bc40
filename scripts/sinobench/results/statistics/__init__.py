"""Uncertainty of every figure, and tests of every difference, for all tasks: knows scores, and no task."""
