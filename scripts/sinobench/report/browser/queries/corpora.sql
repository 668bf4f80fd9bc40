SELECT corpus, title, confidential FROM corpora ORDER BY corpus;
