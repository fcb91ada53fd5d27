"""What a server's process gets of our environment: enough to work as it does in a shell, and no secrets.

The SDK passes on HOME, LOGNAME, PATH, SHELL, TERM and USER. Without what is added here, `uvx` and `npx` find no network
behind a company's proxy, and what they start trusts none of its certificates.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from mcp.client.stdio import get_default_environment

from toolgraft.config.redact import is_secret

if TYPE_CHECKING:
    from toolgraft.config.servers import Stdio

CERTIFICATES: Final = (
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "AWS_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "PIP_CERT",
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    "DENO_CERT",
    "DENO_TLS_CA_STORE",
    "NIX_SSL_CERT_FILE",
)
PROXIES: Final = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "FTP_PROXY"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"),
    "NODE_USE_ENV_PROXY",
)
PLACES: Final = ("TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
LANGUAGE: Final = ("LANG", "LANGUAGE", "TZ")
RUNNERS: Final = (
    *("UV_CACHE_DIR", "UV_CONFIG_FILE", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL"),
    *("UV_FIND_LINKS", "UV_HTTP_TIMEOUT", "UV_INSECURE_HOST", "UV_LINK_MODE", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS"),
    *("UV_NO_CACHE", "UV_OFFLINE", "UV_PYTHON", "UV_PYTHON_DOWNLOADS", "UV_PYTHON_INSTALL_DIR"),
    *("UV_PYTHON_INSTALL_MIRROR", "UV_PYTHON_PREFERENCE", "UV_TOOL_BIN_DIR", "UV_TOOL_DIR"),
    *("PIP_CONFIG_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST"),
    *("BUN_INSTALL", "DENO_DIR", "NVM_DIR", "PNPM_HOME", "VOLTA_HOME", "COREPACK_HOME"),
)
NPM: Final = frozenset(
    "npm_config_" + name
    for name in (
        *("registry", "cache", "prefix", "userconfig", "globalconfig", "cafile", "ca", "strict_ssl", "proxy"),
        *("https_proxy", "http_proxy", "noproxy", "offline", "prefer_offline", "fetch_timeout"),
    )
)

_NAMED: Final = (*CERTIFICATES, *PROXIES, *PLACES, *LANGUAGE, *RUNNERS)
_MAY_HOLD_A_LOGIN: Final = frozenset({*PROXIES})


def environment(config: Stdio) -> dict[str, str]:
    """The child's environment: the base set, what the declaration passes on, and its `env` on top."""
    if config.inherit_env is True:
        passed = dict(os.environ)
    else:
        names = config.inherit_env or ()
        passed = {name: os.environ[name] for name in names if name in os.environ}
    return {**_base(os.environ), **get_default_environment(), **passed, **config.env}


def _base(ours: Mapping[str, str]) -> dict[str, str]:
    names = {*(name for name in _NAMED if name in ours), *(name for name in ours if _is_of_a_family(name))}
    return {name: ours[name] for name in names if name in _MAY_HOLD_A_LOGIN or not _holds_a_secret(ours[name])}


def _is_of_a_family(name: str) -> bool:
    return name.startswith("LC_") or name.lower() in NPM


def _holds_a_secret(value: str) -> bool:
    """Whether one of the URLs in it has a login or a token; a registry's is not every server's business."""
    words = value.replace(",", " ").split()
    return any(login_in(word) or any(is_secret(name) for name, _ in queried(word)) for word in words)


def login_in(url: str) -> str:
    """User and password in a URL, or nothing."""
    try:
        place = urlsplit(url).netloc if "://" in url else url
    except ValueError:
        return ""
    login, at, _ = place.rpartition("@")
    return login if at else ""


def queried(url: str) -> list[tuple[str, str]]:
    """The members of a URL's query, as they stand there."""
    query = url.partition("?")[2].partition("#")[0] if "://" in url else ""
    return [(name, value) for name, _, value in (member.partition("=") for member in query.split("&"))]
