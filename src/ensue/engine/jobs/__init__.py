"""What is done with the shards of a run."""
