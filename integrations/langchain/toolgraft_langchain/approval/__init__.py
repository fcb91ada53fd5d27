"""A person's yes in LangGraph: by interrupts of the tools' own, or by LangChain's human-in-the-loop middleware."""
