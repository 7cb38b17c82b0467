"""What is measured of an output beside its references: surface, entailment, lexical matches."""
