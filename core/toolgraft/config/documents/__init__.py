"""An `mcp.json` as its hosts write it → declarations: read, expanded, checked, or only shown.

The way through it: `loading.load` → `reading` → `document` (the file) → `entry` (one server of it).
"""
