"""Training corpora of speech: read, partitioned, checked against their track."""
