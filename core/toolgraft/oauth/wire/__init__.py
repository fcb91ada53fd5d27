"""What is asked of authorization servers: bounded requests that go where they may, and what is made of the answers."""
