"""What servers offer beside tools: prompts, resources, instructions, completion of arguments.

All of it is a server's word: names and texts are bounded, and what is no prompt or resource is refused by itself.
"""

from toolgraft.context.completion import Completion
from toolgraft.context.instructions import with_instructions
from toolgraft.context.offered import Offered
from toolgraft.context.prompts import FilledPrompt, Prompt, PromptArgument, PromptMessage
from toolgraft.context.resources import Resource, ResourceContents, ResourceTemplate

__all__ = [
    "Completion",
    "FilledPrompt",
    "Offered",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "Resource",
    "ResourceContents",
    "ResourceTemplate",
    "with_instructions",
]
