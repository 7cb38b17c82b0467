"""The fifteen groups of features, in modules of those that look at the same things."""
