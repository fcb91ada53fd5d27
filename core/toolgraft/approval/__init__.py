"""Calls that wait for a yes: which do, who is asked, and the gate that lets nothing by without one."""

from toolgraft.approval.gate import Gate

__all__ = ["Gate"]
