"""``exporter`` and ``python -m exporter``: the command line, which ends quietly at any time."""

import gc
import signal
import sys

_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")


def main() -> None:
    """Exit 0 done, 1 the data have problems, 2 wrong usage; 128 and more where a signal ends it.

    An end is an exception, so that temporary files are removed on the way out: 130 for Ctrl-C, as
    the system's own programs have it.
    """

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    for name in _ENDINGS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    try:
        from exporter.cli.main import main as command_line

        command_line()
    finally:
        gc.freeze()  # or Python looks for rubbish once more, in a memory that ends with it


if __name__ == "__main__":
    main()
