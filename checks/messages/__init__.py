"""A list of all messages that users can cause, for each house, compared with the sources."""

from checks.messages.findings import find_unlisted_messages

__all__ = ["find_unlisted_messages"]
