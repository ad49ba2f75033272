"""What follows from an immutable object is computed once for each object."""

from __future__ import annotations

from msgspec.structs import replace

from ratscrew.rules.house import Rules
from ratscrew.rules.once import once


def test_a_function_is_called_once_for_each_object_and_again_for_a_changed_copy() -> None:
    calls: list[str] = []

    @once
    def window(rules: Rules) -> str:
        calls.append(rules.slap_window)
        return rules.slap_window

    rules = Rules()
    changed = replace(rules, slap_window="not_after_fail")
    assert [window(each) for each in (rules, rules, changed)] == ["always", "always", "not_after_fail"]
    changed_again = replace(rules, slap_window="not_during_challenge")
    assert [window(each) for each in (changed_again, rules)] == ["not_during_challenge", "always"]
    assert calls == ["always", "not_after_fail", "not_during_challenge"]
