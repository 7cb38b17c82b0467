"""From results to tables, pictures and pages: a module for each thing that is reported."""
