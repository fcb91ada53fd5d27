"""What plugins add to a graft: pluggy finds and orders the hooks, this makes their answers typed and guarded."""

from toolgraft.plugins.discovery import adapter_names, load_adapter
from toolgraft.plugins.gather import PluginProblem, Plugins
from toolgraft.plugins.load import load_plugins

__all__ = ["PluginProblem", "Plugins", "adapter_names", "load_adapter", "load_plugins"]
