"""usage: posteriors.py MPFC FOLDER COUNT SEED

Compares random networks with observed posteriors (Jeffrey's rule) with iterative proportional fitting of
the whole joint distribution.
"""
import itertools
import random
import subprocess
import sys


def distribution(rng, states):
    weights = [rng.randint(1, 9) for _ in range(states)]
    return [w / sum(weights) for w in weights]


def trial(mpfc, folder, rng):
    count = rng.randint(2, 5)
    extents = [rng.randint(2, 3) for _ in range(count)]
    text = "".join(f"var v{i} : {n}\n" for i, n in enumerate(extents))
    joint = {states: 1.0 for states in itertools.product(*map(range, extents))}
    for i in range(count):
        parents = sorted(rng.sample(range(i), rng.randint(0, min(i, 2))))
        rows = {p: distribution(rng, extents[i])
                for p in itertools.product(*(range(extents[p]) for p in parents))}
        flat = ", ".join(repr(x) for row in rows.values() for x in row)
        given = " | " + ", ".join(f"v{p}" for p in parents) if parents else ""
        text += f"prob P(v{i}{given}) = [{flat}]\n"
        for states in joint:
            joint[states] *= rows[tuple(states[p] for p in parents)][states[i]]
    chosen = rng.sample(range(count), rng.randint(1, count))
    seen = {chosen.pop(): 0} if len(chosen) > 1 and rng.random() < 0.5 else {}
    for i, state in seen.items():
        text += f"observe v{i} = {state}\n"
        joint = {s: p for s, p in joint.items() if s[i] == state}
    targets = {i: distribution(rng, extents[i]) for i in chosen}
    for i, wanted in targets.items():
        text += f"observe v{i} ~ posterior [{', '.join(map(repr, wanted))}]\n"
    with open(f"{folder}/model.mpf", "w") as file:
        file.write(text + "query marginals\n")

    def marginal(i):
        sums = [0.0] * extents[i]
        for states, p in joint.items():
            sums[states[i]] += p
        return [s / sum(sums) for s in sums]

    for _ in range(3000):
        worst = 0.0
        for i, wanted in targets.items():
            has = marginal(i)
            worst = max([worst] + [abs(a - b) for a, b in zip(has, wanted)])
            for states in joint:
                joint[states] *= wanted[states[i]] / has[states[i]]
        if worst < 1e-14:
            break
    out = subprocess.run([mpfc, "run", f"{folder}/model.mpf"], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"{text}\n{out.stderr}")
    for i in range(count):
        if i in seen:
            continue
        line = next(line for line in out.stdout.splitlines() if line.startswith(f"v{i}:"))
        answers = [float(word) for word in line.split()[2::2]]
        if any(abs(a - b) > 1e-10 for a, b in zip(answers, marginal(i), strict=True)):
            sys.exit(f"{text}\n{line}\nwanted {marginal(i)}")


mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for number in range(count):
    trial(mpfc, folder, random.Random(seed + number))
print(f"{count} fits alike")
