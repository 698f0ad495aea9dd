"""edits.py MPFC FOLDER COUNT SEED

Random networks, some tables noisy-or, in which do() sets variables. What --unobserve and --observe make of
such a model is what a model with that evidence says: from .mpf, from --emit=model, and from `import`.
"""
import random
import re
import subprocess
import sys


def row(rng, states):
    weights = [rng.randint(1, 8) for _ in range(states)]
    return "[" + ", ".join(repr(w / sum(weights)) for w in weights) + "]"


def table(rng, extents):
    if len(extents) == 1:
        return row(rng, extents[0])
    return "[" + ", ".join(table(rng, extents[1:]) for _ in range(extents[0])) + "]"


def network(rng):
    count = rng.randint(3, 6)
    extents = [rng.randint(2, 3) for _ in range(count)]
    text = "".join(f"var v{i} : {extents[i]}\n" for i in range(count))
    for child in range(count):
        parents = rng.sample(range(child), rng.randint(0, min(child, 3)))
        given = " | " + ", ".join(f"v{p}" for p in parents) if parents else ""
        if parents and extents[child] == 2 and all(extents[p] == 2 for p in parents):
            value = f"noisyor(leak = {rng.random():.3f}, [{', '.join(f'{rng.random():.3f}' for _ in parents)}])"
        else:
            value = table(rng, [extents[p] for p in parents] + [extents[child]])
        text += f"prob P(v{child}{given}) = {value}\n"
    return text, extents


def said(rng, variable, extent, kinds):
    kind = rng.choice(kinds)
    if kind == "soft":
        return f"v{variable} ~ {row(rng, extent)}"
    state = rng.randrange(extent)
    return f"do(v{variable} = {state})" if kind == "do" else f"v{variable} = {state}"


def model(text, evidence):
    lines = "".join(f"observe {item}\n" for item in evidence.values())
    return text + lines + "query evidence\nquery marginals\nquery best\nquery P(v0)\n"


def answers(mpfc, *arguments):
    done = subprocess.run([mpfc, "run", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.returncode}\n{done.stderr}")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("given:")]
    return re.findall(r"[^\s=,()]+", "\n".join(lines))


def isAlike(a, b):
    try:
        return abs(float(a) - float(b)) <= 1e-9 * max(abs(float(a)), 1e-3)
    except ValueError:
        return a == b


def compare(mpfc, folder, rng, number):
    text, extents = network(rng)
    chosen = rng.sample(range(len(extents)), rng.randint(1, len(extents) - 1))
    before = {v: said(rng, v, extents[v], ["do", "do", "do", "soft", "hard"]) for v in chosen}
    path = f"{folder}/{number}.mpf"
    after, options = dict(before), []
    for v in range(len(extents)):
        draw = rng.random()
        if v in before and draw < 0.4:
            options += ["--unobserve", f"v{v}"]
            del after[v]
        elif draw < 0.6:
            after[v] = said(rng, v, extents[v], ["do", "hard", "soft"])
            options += ["--observe", after[v]]
    for name, evidence in ((path, before), (f"{folder}/{number}_after.mpf", after)):
        with open(name, "w") as file:
            file.write(model(text, evidence))
    stage, again = f"{folder}/{number}.model", f"{folder}/{number}_again.mpf"
    subprocess.run([mpfc, "--emit=model", path, "-o", stage], check=True)
    subprocess.run([mpfc, "import", path, "-o", again], check=True)
    wanted = answers(mpfc, f"{folder}/{number}_after.mpf")
    for source in ([path], ["-x", "model", stage], [again]):
        given = answers(mpfc, *source, *options)
        if len(given) != len(wanted) or not all(map(isAlike, given, wanted)):
            sys.exit(f"{source} {options}\n{given}\n{wanted}")
    return len(options)


def main():
    mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    edits = sum(compare(mpfc, folder, rng, number) for number in range(count))
    print(f"{count} networks agree" if edits else "nothing was edited")


main()
