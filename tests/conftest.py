"""How hard the properties are tried: quickly and always alike, or for long (`RATSCREW_HYPOTHESIS=deep`)."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=100, stateful_step_count=50, derandomize=True, deadline=None)
settings.register_profile("deep", max_examples=5000, stateful_step_count=150, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("RATSCREW_HYPOTHESIS", "ci"))
