"""Compiled inner loops over bytes and integers; typed by hand, called only inside `surface`."""
