"""All benchmarks, one after the other: ``.venv/bin/python -m benchmarks``."""

import subprocess
import sys
from pathlib import Path

NONE = ("generated.py", "measuring.py")
"""What only helps the others."""

for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    if path.name not in NONE:
        print(f"\n## {path.name}", flush=True)
        subprocess.run([sys.executable, path], cwd=path.parent.parent, check=True)
