"""Compares random models with the same declarations in another order: any_order.py MPFC FOLDER COUNT SEED

The declarations that give names are shuffled, but for the order of the variables, which the model keeps.
"""
import os
import random
import subprocess
import sys

mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def numberOf(names, draw):
    """An expression over some of the params and functions, whose value is from 1 to about 9."""
    params, functions = names
    terms = [str(draw.randint(1, 3))]
    if params:
        terms.append(draw.choice(params))
    if functions:
        terms.append(f"{draw.choice(functions)}({draw.choice(params) if params else 1})")
    return "min(" + " + ".join(terms) + ", 9)"


def declarations(draw):
    """Declarations, each below those that it needs; the sizes of the variables."""
    params, functions, domains, texts, variables = [], [], [], [], []
    for i in range(draw.randint(6, 14)):
        value = numberOf((params, functions), draw)
        kind = draw.choice(["param", "array", "def", "domain", "var"])
        if kind == "param":
            texts.append(f"param p{i} = {value}")
            params.append(f"p{i}")
        elif kind == "array":
            texts.append(f"param w{i}[2] = [{value}, 2]")
            params += [f"w{i}[0]", f"w{i}[1]", f"size(w{i})"]
        elif kind == "def":
            texts.append(f"def f{i}(a) = min(a + {value}, sum(j in 0..2: j + a))")
            functions.append(f"f{i}")
        elif kind == "domain":
            texts.append(f"domain d{i} = {value}")
            domains.append(f"d{i}")
        else:
            texts.append(f"var v{i}[min({value}, 3)] : {draw.choice(domains) if domains else value}")
            variables.append(f"v{i}")
    return texts, variables, numberOf((params, functions), draw)


def shuffled(texts, draw):
    """Another order, in which the variables follow each other as before."""
    mixed = draw.sample(texts, len(texts))
    variables = iter([text for text in texts if text.startswith("var")])
    return [next(variables) if text.startswith("var") else text for text in mixed]


def emitted(name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    run = subprocess.run([mpfc, "--emit=model", path], capture_output=True, text=True)
    assert run.returncode == 0, (lines, run.stderr)
    return run.stdout


for number in range(count):
    draw = random.Random(seed + number)
    texts, variables, value = declarations(draw)
    rest = [f"factor f_{name}({name}[0]) = 1 + {value} * {name}[0]" for name in variables]
    rest += [f"factor alone() = {value}", "query evidence"]
    wanted = emitted("up.mpf", texts + rest)
    for turn in range(3):
        lines = shuffled(texts, draw) + rest
        assert emitted("mixed.mpf", lines) == wanted, (texts, lines)
print(f"{count} models alike")
