"""The workbench under a long leaderboard: how it is filled, served, asked, and what it is held to."""
