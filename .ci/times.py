"""Print how long each nox session took, and how it ended: ``python .ci/times.py REPORT...``."""

import json
import sys
from pathlib import Path

total = 0.0
for path in map(Path, sys.argv[1:]):
    for session in json.loads(path.read_text(encoding="utf-8"))["sessions"]:
        name = max([session["name"], *session["signatures"]], key=len)
        total += session["duration"]
        print(f"{session['duration']:8.1f} s  {session['result']:8} {name}")
print(f"{total:8.1f} s  in all sessions, some of them side by side")
