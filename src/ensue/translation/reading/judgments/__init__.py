"""Human judgments from files, and how they fit the texts that they are about."""
