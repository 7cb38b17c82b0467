"""What commands call for runs over pairs, translations and suites, and what it comes to."""
