"""Annotation and labels of MERLIon recordings: read, recoded, written."""
