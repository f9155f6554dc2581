"""Matrices and vectors, masks, lazy expressions, and the assignment that evaluates them."""
