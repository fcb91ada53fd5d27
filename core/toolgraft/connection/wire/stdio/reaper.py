"""A process of our own that ends our servers when we are killed: nothing else can, after SIGKILL.

Most servers end by themselves then, for their input ends. Those that do not notice, and the processes that they have
started, would stay for ever. A shell (under a megabyte, about a millisecond to start) reads from a pipe that only we
hold open which groups of processes live; when the pipe ends and some still do, it ends them. It holds nothing of ours
open and is out of the reach of a terminal's signals. What leaves its server's group (a daemon in a session of its own)
is not reached, here as at a normal close.
"""

from __future__ import annotations

import logging
import os
import subprocess
from contextlib import suppress
from typing import Final, Self

_PROGRAM: Final = """
trap '' HUP INT TERM
groups=' '
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;; esac ;;
  esac
done
set -- $groups
[ $# -gt 0 ] || exit 0
for group; do kill -TERM "-$group"; done
sleep 0.5
for group; do kill -KILL "-$group"; done
"""
_SHELL: Final = "/bin/sh"

_log: Final = logging.getLogger("toolgraft")


class Reaper:
    """Ends process groups after us. Where there is no shell to do it, it does nothing."""

    def __init__(self, pipe: int | None) -> None:
        self._pipe = pipe
        if pipe is not None:
            os.register_at_fork(after_in_child=self._left)

    @classmethod
    def started(cls) -> Self:
        """A new one."""
        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(
                [_SHELL, "-c", _PROGRAM],
                stdin=reading,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env={"PATH": os.defpath},
            )
        except OSError as error:
            os.close(writing)
            _log.info("servers that ignore the end of their input may outlive this program if it is killed: %s", error)
            return cls(None)
        finally:
            os.close(reading)
        process.returncode = 0  # it ends after us; nobody waits for it, and nobody is warned of that
        os.set_blocking(writing, False)
        return cls(writing)

    def add(self, group: int) -> None:
        """A group lives."""
        self._tell(f"+ {group}\n")

    def discard(self, group: int) -> None:
        """A group is gone."""
        self._tell(f"- {group}\n")

    def _tell(self, line: str) -> None:
        if self._pipe is not None:
            with suppress(OSError):
                os.write(self._pipe, line.encode())

    def _left(self) -> None:
        """We are a fork, which must not keep the pipe open."""
        if self._pipe is not None:
            with suppress(OSError):
                os.close(self._pipe)
            self._pipe = None
