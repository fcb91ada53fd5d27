"""Which protocol a server spoke last time, so that the next connection need not find out again."""

from __future__ import annotations

from toolgraft.config.servers import Server


class EraMemory:
    """Remembers the servers that speak the `initialize` handshake only.

    For those a reconnect goes without the probe, which a silent old server answers with a ten-second wait. One memory
    may serve many connections.
    """

    def __init__(self) -> None:
        self._legacy: set[tuple[str, str]] = set()

    def mode(self, config: Server) -> str:
        """The mode to connect with."""
        if config.era != "auto":
            return config.era
        return "legacy" if self._key(config) in self._legacy else "auto"

    def learn(self, config: Server, *, legacy: bool) -> None:
        """Remember what a server spoke."""
        if legacy:
            self._legacy.add(self._key(config))
        else:
            self.forget(config)

    def forget(self, config: Server) -> None:
        """Probe again next time."""
        self._legacy.discard(self._key(config))

    @staticmethod
    def _key(config: Server) -> tuple[str, str]:
        return config.name, config.target
