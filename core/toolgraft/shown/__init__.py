"""What the model is shown of a result: text, pictures and files, each thing once, at a bearable size."""

from toolgraft.shown.sentences import file_name
from toolgraft.shown.view import Shown, ShownPart, for_model, is_slow

__all__ = ["Shown", "ShownPart", "file_name", "for_model", "is_slow"]
