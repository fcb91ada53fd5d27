"""Amazon Bedrock's Converse API: the plain form. What a tool returns may bring pictures and PDFs."""

from __future__ import annotations

from toolgraft.dialects.dialect import DOCUMENTS, Dialect

BEDROCK = Dialect(
    "bedrock",
    files=DOCUMENTS,
    plain_file_names=True,
    also=("bedrock_converse", "amazon_bedrock", "aws", "amazon", "langchain_aws"),
)
