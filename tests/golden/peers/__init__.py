"""The reference implementations ("peers"), one module a tool.

Each golden module has `TOOL`, `version()`, `COMMAND` and `golden(pairs)`; the latter gives
the `values` of the tool's golden file.
"""
