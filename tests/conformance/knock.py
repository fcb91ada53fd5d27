"""Have a warm process run the client, as if it were this process: `python -S knock.py LEG URL`. See `warm.py`."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as door:
    door.connect(os.environ["TOOLGRAFT_CONFORMANCE_SOCKET"])
    socket.send_fds(door, [b"."], [1, 2])
    environment = {name: value for name, value in os.environ.items() if name.startswith("MCP_CONFORMANCE_")}
    door.sendall(json.dumps({"arguments": sys.argv[1:], "environment": environment}).encode())
    door.shutdown(socket.SHUT_WR)
    sys.exit((door.recv(1) or b"\1")[0])
