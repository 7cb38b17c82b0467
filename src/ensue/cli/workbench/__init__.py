"""`ensue serve` and `ensue submit`: the workbench, and runs handed in to one."""
