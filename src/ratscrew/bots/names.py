"""The bots' names, from old Egypt."""

from __future__ import annotations

NAMES = ("Anubis", "Bastet", "Cleo", "Hathor", "Horus", "Imhotep", "Isis", "Khufu", "Nefer", "Ptah", "Ramses", "Thoth")
