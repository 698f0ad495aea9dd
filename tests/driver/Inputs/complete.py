"""Asks a shell how it completes words of mpfc: complete.py SHELL MPFC FOLDER.

The shell sources the script of `mpfc completion SHELL`. FOLDER has the model m.mpf. Every option of
every command has to be among the answers for its name without the last letter, as well as values.
At the end the shell runs in a terminal, and the Tab key is pressed.
"""
import os
import pty
import re
import select
import shlex
import string
import subprocess
import sys
import time

shell, mpfc, folder = sys.argv[1:]
os.chdir(folder)
os.environ["PATH"] = os.path.dirname(mpfc) + os.pathsep + os.environ["PATH"]
os.environ["TERM"] = "xterm"
os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = folder
script = os.path.join(folder, "completion." + shell)


def run(*words, stdin=""):
    done = subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def optionsOf(command):
    """All options of a command, those for developers too."""
    starts = ["-"] + ["--" + letter for letter in string.ascii_lowercase]
    lines = "".join(run(mpfc, "__complete", command, start) for start in starts).splitlines()
    return sorted({line.split("\t")[0] for line in lines})


def askBash(questions):
    text = f"source {script}\n"
    for words in questions:
        parted = [part for word in words for part in re.split("([=:])", word) if part or not word]
        text += (f"COMP_WORDS=(mpfc {shlex.join(parted)}); COMP_CWORD={len(parted)}; _mpfc\n"
                 "printf '%s\\n' \"${COMPREPLY[@]}\" ---\n")
    answers = run("bash", "--norc", "-s", stdin=text).split("---\n")[:-1]
    # bash replaces what is behind the last sign that parts words
    return [{re.match("(.*[=:])?", words[-1])[0] + line for line in answer.splitlines()}
            for words, answer in zip(questions, answers)]


def askZsh(questions):
    text = ("compdef() { : }\n_files() { print -r -- FILES }\n"
            "compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- \"$@\" }\n"
            f"source {script}\n")
    for words in questions:
        text += (f"words=(mpfc {shlex.join(words)}); CURRENT={len(words) + 1}; _mpfc; "
                 "print -r -- ---\n")
    answers = run("zsh", "-f", "-s", stdin=text).split("---\n")[:-1]
    return [set(answer.splitlines()) for answer in answers]


def askFish(questions):
    text = f"source {script}\n"
    for words in questions:
        line = " ".join(["mpfc"] + [word.replace(" ", "\\ ") for word in words])
        text += f"complete -C {shlex.quote(line)}\necho ---\n"
    answers = run("fish", "--no-config", "-c", text).split("---\n")[:-1]
    return [{line.split("\t")[0] for line in answer.splitlines()} for answer in answers]


ask = {"bash": askBash, "zsh": askZsh, "fish": askFish}[shell]
commands = [line.split("\t")[0] for line in run(mpfc, "__complete", "").splitlines()]
commands = [word for word in commands if word[0] != "-" and word != "help"]
assert len(commands) > 8, commands
questions, wanted = [], []


def want(words, *answers):
    questions.append(words)
    wanted.append(set(answers))


want([""], "run", "check", "help")
want(["che"], "check", "check-kernel")
want(["help", "exit"], "exit-codes")
for command in commands:
    for option in optionsOf(command):
        want([command, option[:-1] if len(option) > 2 else "-"], option)
want(["run", "m.mpf", "--device", ""], "auto", "cpu", "gpu")
want(["run", "m.mpf", "--device=c"], "--device=cpu")
want(["run", "m.mpf", "--observe", "w"], "wet=")
want(["run", "m.mpf", "--observe", "wet="], "wet=no", "wet=yes")
want(["run", "--seed", "3", "m.mpf", "--observe", "wet=yes,rain=n"], "wet=yes,rain=no")
want(["run", "m.mpf", "--unobserve", "r"], "rain")
want(["run", "m.mpf", "-D", "b"], "beta=")
want(["completion", "z"], "zsh")
want(["run", "m.mpf", "-Dbe"], "-Dbeta=")
want(["--emit=mo"], "--emit=model")
count = 0
for words, answer, all_ in zip(questions, ask(questions), wanted):
    assert all_ <= answer, f"{shell}: mpfc {words}: {sorted(answer)} lack {sorted(all_ - answer)}"
    assert len(answer) == len(all_) or len(words[-1]) < 4 or words[-1].startswith("-"), \
        f"{shell}: mpfc {words}: {sorted(answer)} instead of {sorted(all_)}"
    count += 1
assert count == len(wanted) > 100, count

# The shell runs in a terminal. `mpfc` prints its words: they show what Tab made of the line.
# Names are no commands and no patterns of the shell: a file would match x[0]= as a pattern.
open("x0=", "w").close()
if shell == "zsh":
    words = ["zsh", "-f", "-i"]
    start = ["autoload -Uz compinit; compinit -u -D", f"source {script}",
             "mpfc() { print -r -- \"GOT[$*]\" }"]
elif shell == "bash":
    words = ["bash", "--norc", "-i"]
    start = ["shopt -s nullglob failglob", f"source {script}", "mpfc() { printf 'GOT[%s]\\n' \"$*\"; }"]
else:
    words = ["fish", "--no-config", "-i"]
    start = [f"source {script}", "function mpfc; echo \"GOT[$argv]\"; end"]
child, terminal = pty.fork()
if child == 0:
    os.execvp(words[0], words)
seen = b""


def read(until, seconds=30):
    global seen
    end = time.time() + seconds
    while until not in seen and time.time() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536)
    return until in seen


def type_(text):
    os.write(terminal, text.encode())
    time.sleep(0.2)
    read(b"\0never", 0.3)


for line in start:
    type_(line + "\r")
lines = [("mpfc run m.mpf --unob\t rain\r", "run m.mpf --unobserve rain"),
         ("mpfc run m.mpf --observe we\tye\t\r", "run m.mpf --observe wet=yes"),
         ("mpfc run m.m\t --quer\tmargi\t\r", "run m.mpf --query marginals"),
         ("mpfc run odd.mpf --observe x\t0\t1\r", "run odd.mpf --observe x[0]=1"),
         ("mpfc run odd.mpf --observe=x\t0\t1\r", "run odd.mpf --observe=x[0]=1"),
         ("mpfc run odd.mpf --query P\\(x\\[1\t\r", "run odd.mpf --query P(x[1])"),
         ("mpfc run odd.mpf --query 'P(x[1\t\r", "run odd.mpf --query P(x[1])")]
if shell != "zsh":  # which has other keys behind a quote
    lines.append(("mpfc run odd.mpf --observe '`$\t'`a\t\r",
                  "run odd.mpf --observe `$(touch PWNED)`=`a 'b'`"))
for typed, got in lines:
    for part in re.findall("[^\t\r]*[\t\r]", typed):
        type_(part)
    assert read(f"GOT[{got}".encode()), f"{shell}: {typed!r}: {seen!r}"
assert not os.path.exists("PWNED"), f"{shell}: a name of the model was run"
os.write(terminal, b"exit\r")
print(f"{shell}: {count} answers and {len(lines)} lines are right")
