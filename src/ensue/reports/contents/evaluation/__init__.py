"""What an evaluation comes to: its tables, a module for each kind, and the page with all of them."""
