"""What knows nothing of graphs: arrays, casts, checks of arguments, files, text, the machine."""
