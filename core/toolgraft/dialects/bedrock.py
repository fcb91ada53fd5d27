"""Amazon Bedrock's Converse API: the plain form. What a tool returns may bring pictures and PDFs.

Its page of `ToolSpecification` has names of 1 to 64 characters, and descriptions of at least one, without a most. Its
package puts the alternative beside null in the place of a choice, with that alternative's description alone.
"""

from __future__ import annotations

from toolgraft.dialects.dialect import DOCUMENTS, Dialect
from toolgraft.dialects.redraw.said import said_inside
from toolgraft.dialects.redraw.walk import each_schema
from toolgraft.schema import Node


def said_once(form: Node) -> Node:
    """Redraw a form so that all that is said of a choice with null arrives."""
    return each_schema(form, said_inside)


BEDROCK = Dialect(
    "bedrock",
    redraw=said_once,
    files=DOCUMENTS,
    plain_file_names=True,
    also=("bedrock_converse", "amazon_bedrock", "aws", "amazon", "langchain_aws"),
)
