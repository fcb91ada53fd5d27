"""What it takes to have a person sign in: a page that is opened, and a loopback address that hears what came of it."""
