"""Pages of a fleet, as files of their own: nothing in them is asked for from elsewhere."""
