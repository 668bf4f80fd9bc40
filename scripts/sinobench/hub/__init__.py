"""Models of a hub: pinned files, retrieved once, and loaded by classes of this package."""
