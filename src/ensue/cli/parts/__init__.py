"""What several commands are made of: options, inputs, jobs, progress and findings."""
