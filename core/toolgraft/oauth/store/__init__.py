"""Where tokens are kept: the stores that a declaration names by a word, and whose turn it is to renew."""
