"""Copies the plan of joined queries from what --print-after shows."""
import sys

lines = sys.stdin.read().split("\n")
begin = next(i for i, line in enumerate(lines) if line.startswith("plan") and " joints" in line)
end = begin + 1
while end < len(lines) and lines[end].split(" ")[0] in ("variable", "order", "table", "op", "output"):
    end += 1
print("\n".join(lines[begin:end]))
