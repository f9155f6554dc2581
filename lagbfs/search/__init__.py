"""Breadth-first search: searching, its result, its verification, its explanation."""
