"""What engines compute on: compressed rows, forms of vectors, masks; and the rule by which results are written."""
