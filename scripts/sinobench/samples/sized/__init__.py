"""Corpora of any size in the shapes of the public ones: text that says nothing, and recordings that are silent.

They show what a step takes, not how good a model is. A corpus is written block by block, in memory that does not grow
with it; a block has a random stream of its own, so a larger corpus begins with the smaller one.
"""
