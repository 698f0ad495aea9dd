"""Writes a header and rows into a pipe that stays open, and sends a signal after the last answer.

usage: open_pipe.py SIGNAL ROWS COMMAND...

ROWS is the number of rows. The signal is sent when stdout has an answer to each row. With SIGNAL none,
the script waits until the command ends. Prints how it ended."""

import signal
import subprocess
import sys
import threading

LONGEST_S = 60

rows = int(sys.argv[2])
process = subprocess.Popen(
    sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run in background
)
watch = threading.Timer(LONGEST_S, process.kill)
watch.start()
process.stdin.write(b"x[3],x[7]\n" + b"1,\n" * rows)
process.stdin.flush()
answered = -1  # the header
if sys.argv[1] != "none":
    while answered < rows and process.stdout.readline():
        answered += 1
    process.send_signal(getattr(signal, "SIG" + sys.argv[1]))
process.wait()
watch.cancel()
end = f"by signal {-process.returncode}" if process.returncode < 0 else f"with code {process.returncode}"
print(f"ended {end}, {max(answered, 0)} rows read")
print(process.stderr.read().decode())
