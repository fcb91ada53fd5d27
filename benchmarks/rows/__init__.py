"""What is measured, a file a subject."""
