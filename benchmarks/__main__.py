"""All benchmarks, one after the other: ``.venv/bin/python -m benchmarks``."""

import subprocess
import sys
from pathlib import Path

for path in sorted(
    {*Path(__file__).parent.glob("[a-z]*.py")} - {Path(__file__).with_name("generated.py")}
):
    print(f"\n## {path.name}", flush=True)
    subprocess.run([sys.executable, path], cwd=path.parent.parent, check=True)
