"""One declaration, many users; and tokens that one has already."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from toolgraft import Bearer, CallContext, CallOptions, Http, OAuth, connect
from toolgraft.config.token_store import MemoryStore
from toolgraft.errors import ConfigError, TransportError

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import Granted, World

pytestmark = pytest.mark.anyio


def by_user(context: CallContext) -> str:
    return str((context.native or {}).get("user", "")) if isinstance(context.native, dict) else ""
