"""MCP servers for the agent you already have."""

__version__ = "0.1.0"
