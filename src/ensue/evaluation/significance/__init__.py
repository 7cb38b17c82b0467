"""What can be concluded: chance, differences between runs, and how many pairs that takes."""
