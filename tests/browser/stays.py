"""What pages say for a moment stays as long as a test looks at it."""

from __future__ import annotations

STAYS = """
  const later = window.setTimeout
  window.setTimeout = (act, ms, ...more) => later(act, [2000, 2500, 4000, 5000].includes(ms) ? 1e8 : ms, ...more)
"""
"""The headline, a hint, a sign and the question how a race was judged stay until something else is said."""
