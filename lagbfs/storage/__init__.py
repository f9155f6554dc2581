"""What engines compute on: compressed rows of matrices, forms of vectors, masks; and the rule by which results are written."""
