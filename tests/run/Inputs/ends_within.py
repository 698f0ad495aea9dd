"""Fails unless a command ends within SECONDS seconds with exit code CODE.

usage: ends_within.py SECONDS CODE COMMAND..."""
import subprocess
import sys

ended = subprocess.run(sys.argv[3:], timeout=float(sys.argv[1]))
sys.exit(ended.returncode != int(sys.argv[2]))
