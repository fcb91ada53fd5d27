"""`python -m toolgraft.testing`: the demo server over stdio, or with `--http [PORT]` over Streamable HTTP."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the demo server until it is told to stop.

    Args:
        arguments: Command line without the program's name; the process's own when None.
    """
    parser = argparse.ArgumentParser(prog="python -m toolgraft.testing", description="Run the toolgraft demo server.")
    parser.add_argument(
        "--http",
        nargs="?",
        type=int,
        const=0,
        metavar="PORT",
        help="serve Streamable HTTP on 127.0.0.1, on a free port when none is given; prints one JSON line with the url",
    )
    parser.add_argument("--until-end-of-input", action="store_true", help="with --http: stop when standard input ends")
    options = parser.parse_args(arguments)

    import anyio

    from toolgraft.testing.server import serve_http, serve_stdio

    try:
        if options.http is None:
            anyio.run(serve_stdio)
        else:
            anyio.run(lambda: serve_http(options.http, until_end_of_input=options.until_end_of_input))
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
