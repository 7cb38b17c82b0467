"""What several commands are made of: options, inputs, workers, progress and findings."""
