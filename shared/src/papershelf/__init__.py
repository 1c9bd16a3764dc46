"""Shared utilities of the papershelf packages."""
