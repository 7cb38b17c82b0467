"""D of patterns: Algorithm 1 of Shima & Mitamura (2011), and what can take its place."""
