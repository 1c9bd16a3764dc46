"""k-dynamic time warping."""
