"""The command `ratscrew`, and `python -m ratscrew`."""

from __future__ import annotations

import os
import signal
from types import FrameType


def main() -> None:
    """Run the command; as the first process of a container it can be stopped from the beginning."""
    if os.getpid() == 1:  # Linux ignores SIGTERM for this process until there is a handler, and imports take a second
        signal.signal(signal.SIGTERM, _stop)
    from ratscrew.cli import main as run

    run()


def _stop(number: int, frame: FrameType | None) -> None:
    """End before the server runs; later the server has a handler of its own."""
    raise SystemExit(0)


if __name__ == "__main__":
    main()
