"""What the commands of the terminal share: options, standard input, intervals of a score, tables in several formats."""
