"""A run beside gold: what is measured of it, with its intervals."""
