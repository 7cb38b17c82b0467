"""How words are used: the sentences that verbs make, and the words that others are made from."""
