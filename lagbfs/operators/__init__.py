"""Operators on values, under the names of python-graphblas: what storage and engines compute with."""
