"""Checks that texts with many errors are refused with the number of their errors.

Each text has `count` errors. Errors beyond those that are shown are counted; a reader may stop after 10000 and say
"at least".

usage: check_error_counts.py MPFC WORKFOLDER
"""
import os
import re
import subprocess
import sys

SHOWN, SHOWN_OF_TABLE, COUNTED = 50, 3, 10000
SAMPLES = (2, 51, 190, 12000)
UAI = "MARKOV\n2\n2 2\n0\n"


def uaiEntries(count):
    variables = count.bit_length()
    return (f"MARKOV {variables} {'2 ' * variables} 1 {variables} {' '.join(map(str, range(variables)))} "
            f"{1 << variables} {'x ' * count} {'1 ' * ((1 << variables) - count)}")


def numbered(line, count):
    return "".join(line.replace("%", str(i)) for i in range(count))


def tensors(count):
    terms = ",".join("ij" for _ in range(count))
    return f'{{"einsum": "{terms}->", "operands": []}}'


# The name of a kind of text, the command, what is shown of its errors, its files for a number of errors.
KINDS = [
    ("grammar", "check m.mpf", SHOWN, lambda n: {"m.mpf": "var : 2\n" * n}),
    ("characters", "fmt m.mpf", SHOWN, lambda n: {"m.mpf": "\x01\n" * n}),
    ("names", "check m.mpf", SHOWN, lambda n: {"m.mpf": numbered("factor f%(nothing%) = 1\n", n)}),
    ("included", "check m.mpf", SHOWN,
     lambda n: {"m.mpf": 'include "i.mpf"\n', "i.mpf": numbered("factor f%(nothing%) = 1\n", n)}),
    ("queries", "check m.mpf", SHOWN, lambda n: {"m.mpf": numbered("query P(nothing%)\n", n)}),
    ("words", "check m.mpf", SHOWN_OF_TABLE,
     lambda n: {"m.mpf": f'var x : {n}\nfactor f(x) = file("t.txt")\n', "t.txt": "word\n" * n}),
    ("commas", "check m.mpf", SHOWN_OF_TABLE,
     lambda n: {"m.mpf": f'var x : {n}\nfactor f(x) = file("t.csv")\n', "t.csv": "word\n" * (n + 1)}),
    ("columns", "check m.mpf", SHOWN_OF_TABLE,
     lambda n: {"m.mpf": f'var x : {n}\nfactor f(x) = file("t.csv", "b")\n', "t.csv": "a,b\n" + "1,word\n" * n}),
    ("uai", "check m.uai", SHOWN, lambda n: {"m.uai": uaiEntries(n)}),
    ("samples", "check m.uai --evidence m.evid", SHOWN,
     lambda n: {"m.uai": UAI, "m.evid": f"{n}\n" + "1 0 7\n" * n}),
    ("bif", "check m.bif", SHOWN,
     lambda n: {"m.bif": "network m { }\n" + numbered("probability ( v% ) { table 1; }\n", n)}),
    ("xmlbif", "check m.xml", SHOWN,
     lambda n: {"m.xml": "<BIF VERSION='0.3'><NETWORK><NAME>m</NAME>\n" + numbered(
         "<DEFINITION><FOR>v%</FOR><TABLE>1</TABLE></DEFINITION>\n", n) + "</NETWORK></BIF>"}),
    ("net", "check m.net", SHOWN,
     lambda n: {"m.net": "net { }\n" + numbered("potential (v%) { data = (1); }\n", n)}),
    ("xdsl", "check m.xdsl", SHOWN,
     lambda n: {"m.xdsl": '<smile version="1.0"><nodes>\n' + numbered('<cpt id="c%"></cpt>\n', n) + "</nodes></smile>"}),
    ("cnf", "check m.cnf", SHOWN, lambda n: {"m.cnf": f"p cnf 3 {n}\n" + "9 0\n" * n}),
    ("pedigree", "check m.ped --loci m.dat", SHOWN, lambda n: {
        "m.ped": numbered("1 % 0 0 9 1 1 1\n", n), "m.dat": "1 0 0 5\n0 0.0 0.0 0\n1\n3 2\n0.5 0.5\n0 0\n0\n1 0.1 0.45\n"}),
    ("header", "check m.mpf --cases c.csv", SHOWN,
     lambda n: {"m.mpf": "var x : 2\nfactor f(x) = 1\n",
                "c.csv": ",".join(f"n{i}" for i in range(n)) + "\n" + ",".join("0" * n) + "\n"}),
    ("virtual evidence", "check m.uai --likelihoods m.vevid", SHOWN, lambda n: {
        "m.uai": f"MARKOV\n{n}\n" + "2 " * n + "\n0\n", "m.vevid": f"{n}\n" + numbered("% 2 0 0\n", n)}),
    ("numbers", "run m.uai --task MAR --uai-query m.query", SHOWN, lambda n: {"m.uai": UAI, "m.query": "x " * n}),
]


def differences(mpfc, folder, kind, count):
    name, command, most, files = kind
    folder = os.path.join(folder, name.replace(" ", "_"))
    os.makedirs(folder, exist_ok=True)
    for file, text in files(count).items():
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)
    run = subprocess.run([mpfc, *command.split()], cwd=folder, capture_output=True, text=True, timeout=120)
    lines = run.stderr.splitlines()
    shown = sum(re.match(r"\S+:\d+:\d+: error: ", line) is not None for line in lines)
    atLeast = "at least " if count > COUNTED else ""
    last = re.fullmatch(f"mpfc: error: {atLeast}(\\d+) errors in the input", lines[-1])
    counted = int(last[1]) if last else 0
    isCounted = counted == count if count <= COUNTED else COUNTED < counted <= count
    rest = counted - min(count, most)
    told = f"{atLeast}{rest} more error{'s' * (rest != 1)} not shown"
    isTold = rest == 0 or lines[-2] == told
    if run.returncode == 1 and shown == min(count, most) and isCounted and isTold:
        return []
    return [f"{name}, {count} errors: exit code {run.returncode}, {shown} shown, then {lines[-2:]}"]


def main(mpfc, folder):
    os.makedirs(folder, exist_ok=True)
    found = [line for kind in KINDS for count in SAMPLES for line in differences(mpfc, folder, kind, count)]
    print(f"{len(KINDS)} kinds of texts: {len(found)} differences")
    sys.exit("\n".join(found) if found else 0)


main(*sys.argv[1:])
