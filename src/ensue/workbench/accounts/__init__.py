"""Who may come in, how they show it, and what they did."""
