"""The fifteen groups of features, one module each."""
