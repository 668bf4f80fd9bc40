"""A code-switched corpus of real speech: monolingual clips joined, so that every switch point is exact.

Development recordings of the test speakers in the challenge's released form, a training corpus of the others.
"""
