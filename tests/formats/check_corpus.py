"""Compares the answers of a collection of files of other programs with those that its reference.json has.

The collection has a folder for each format. An entry of reference.json has answers of another program, or says that
the file is refused.

usage: check_corpus.py MPFC FOLDER WORKFOLDER
"""
import csv
import json
import math
import os
import subprocess
import sys

NETWORK_TOLERANCE, DIGITS_TOLERANCE = 1e-9, 1e-5  # some writers give six digits
COST_TOLERANCE, WEIGHT_TOLERANCE, FASTLINK_TOLERANCE = 1e-9, 1e-12, 2e-6

# Files without the answer of the entry, and a part of the message.
REFUSED = {
    "alist/CCSDS_64_128.alist": "bytes of memory with the best order found",
    "alist/MACKAY_504_1008.alist": "bytes of memory with the best order found",
    "cfn/1aho.cfn.xz": "bytes of memory with the best order found",
    "cfn/knapsackc.cfn": "'knapsack' is a global cost function",
    "cfn/max.cfn": "'max' is a global cost function",
    "cnf/mode2_valid.cnf": "1/2+1i",
    "cnf/mode3.cnf": "x0+1",
    "dsl/carpo.dsl": "sums to 0, it must be 1",  # the entry takes tables as factors
    "dsl/debug.dsl": "sums to 6.18367347, it must be 1",
    "wcsp/10_1.wcsp": "'sdisj' is a global cost function",
    "wcsp/golomb4.wcsp": "'salldiff' is a global cost function",
    "wcsp/golomb4-salldiff.wcsp": "'salldiff' is a global cost function",
    "wcsp/knapsack.wcsp": "'knapsack' is a global cost function",
    "wcsp/latin.wcsp": "'sgcc' is a global cost function",
    "wcsp/magic3.wcsp": "'salldiff' is a global cost function",
    "xdsl/Pinball.xdsl": "decision",
    "xmlbif/OilWildcatter.xml": "decision",
    "xmlbif/edex.bifxml.xz": "a comment of XML starts with <!--",
}
# Answers for those of the entry, with the reason.
OTHER = {
    # toulbar2 counts the least cost of full tables of four variables twice
    "cfn/alarm.cfn": {"optimum": 3.086727},
    # rows of counts are divided by their sums, as Hugin does; by pyAgrum from the divided tables
    "net/test1.net": {"log10_evidence": -0.24303804868629447, "posteriors": {
        "C4": {"State 1": 0.1, "State 2": 0.9}, "C3": {"State 1": 0.5, "State 2": 0.5},
        "C2": {"State 1": 0.7431818181818183, "State 2": 0.25681818181818183}}},
}


class Corpus:
    def __init__(self, mpfc, folder, work):
        self.mpfc, self.folder, self.work = mpfc, folder, work
        with open(os.path.join(folder, "reference.json"), encoding="utf-8") as file:
            self.entries = {name: entry | OTHER.get(name, {}) for name, entry in json.load(file).items()}

    def run(self, *arguments, command="run"):
        """Returns stdout, or raises ValueError with the messages."""
        done = subprocess.run([self.mpfc, command, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError(done.stderr)
        return done.stdout

    def answers(self, path, *arguments):
        return json.loads(self.run(path, *arguments, "--format", "json"))

    def network(self, name, path, entry):
        def spelled(variable):
            return f"`{'x' if name.startswith('fg/') else ''}{variable}`"

        words = [word for variable, label in entry.get("evidence", {}).items()
                 for word in ("--observe", f"{spelled(variable)} = {json.dumps(label)}")]
        words += [word for variable in entry.get("posteriors", {}) for word in ("--query", f"P({spelled(variable)})")]
        found = self.answers(path, *words, "--query", "evidence")
        distances = [abs(found[-1]["log10"] - entry.get("log10_evidence", math.nan))]
        for answer, posterior in zip(found, entry.get("posteriors", {}).values()):
            values = answer["tables"][0]["values"]
            distances += [abs(a - b) for a, b in zip(values, posterior.values(), strict=True)]
        tolerance = DIGITS_TOLERANCE if "six digits" in entry.get("note", "") else NETWORK_TOLERANCE
        return None if max(distances) <= tolerance else distances

    def count(self, name, path, entry):
        track = ("p" if entry.get("projected") else "") + ("wmc" if "weighted" in entry else "mc")
        lines = self.run(path, "--format", track)
        value = [line.split()[-1] for line in lines.splitlines() if line.startswith("c s exact")][0]
        wanted = entry.get("weighted", entry.get("count", float(value)))
        return None if abs(float(value) - wanted) <= WEIGHT_TOLERANCE * abs(wanted) else f"{value}, not {wanted}"

    def cost(self, name, path, entry):
        found, wanted = self.answers(path)[0]["tables"][0]["number"]["value"], entry["optimum"]
        return None if abs(found - wanted) <= COST_TOLERANCE * max(1, abs(wanted)) else f"{found}, not {wanted}"

    def code(self, name, path, entry):
        found = self.answers(path)[0]["log10"]
        if abs(found - entry["log10_codewords"]) > NETWORK_TOLERANCE:
            return f"{found} codewords"
        if "llr" not in entry:
            return None
        cases = os.path.join(self.work, "llr.csv")
        with open(cases, "w", encoding="utf-8") as file:
            csv.writer(file).writerows([[f"y{bit}" for bit in range(len(entry["llr"]))], entry["llr"]])
        row = next(csv.DictReader(self.run(path, "--channel", "llr", "--cases", cases).splitlines()))
        distance = max(abs(float(row[f"P(x{bit}=1)"]) - one) for bit, one in enumerate(entry["posterior_of_1"]))
        return None if distance <= NETWORK_TOLERANCE else distance

    def tensors(self, name, path, entry):
        expression = os.path.join(self.work, "expression.einsum")
        with open(expression, "w", encoding="utf-8") as file:
            file.write(entry["expression"])
        table = self.answers(expression, "--tensors", path)[0]["tables"][0]
        values = table["values"] if entry["result_shape"] else [table["number"]["value"]]
        distances = [abs(a - b) for a, b in zip(values, entry["result_first"])]
        distances.append(abs(math.fsum(values) - entry["result_sum"]) / len(values))
        return None if len(values) == math.prod(entry["result_shape"]) and max(distances) <= 1e-12 else distances

    def family(self, name, path, entry):
        """The entry of one file of a part has the answers of all files of it."""
        if name.endswith((".dat", ".map")):
            return None
        parts = [other for other in self.entries.values() if other.get("part_of") == entry.get("part_of", name)]
        points = [(point, NETWORK_TOLERANCE * 10) for other in parts for point in other.get("ln_likelihood", [])]
        points += [(point, FASTLINK_TOLERANCE) for other in parts for point in other.get("fastlink_mlink", [])]
        stem = os.path.splitext(path)[0]
        words = [word for loci in (stem + ".dat", stem + ".map") if os.path.exists(loci) for word in ("--loci", loci)]
        if name == "linkage/plink.ped":
            words += ["--trait", "0.05,0.01,0.9,0.9", "--frequencies", self.frequencies()]
        if not points:
            self.run(path, *words, command="check")
        for point, tolerance in points:
            thetas = point["thetas"]
            if name == "linkage/plink.ped":  # the trait lies before the first marker, at 10 centimorgans
                place = 10 + 50 * math.log(1 - 2 * thetas[0]) if thetas[0] < 0.5 else -1e6
                params = ["--position", repr(place)]
            else:
                names = ["theta"] if len(thetas) == 1 else [f"theta{number + 1}" for number in range(len(thetas))]
                params = [word for param, theta in zip(names, thetas) for word in ("-D", f"{param}={theta!r}")]
            found = self.answers(path, *words, *params, "--query", "evidence")[0]["log10"] * math.log(10)
            if not abs(found - point["ln"]) <= tolerance:
                return f"{thetas}: {found}, not {point['ln']}"
        return None

    def frequencies(self):
        """The frequencies that the note of the PLINK files gives."""
        path = os.path.join(self.work, "plink.frq")
        with open(path, "w", encoding="utf-8") as file:
            file.write("CHR SNP A1 A2 MAF NCHROBS\n1 rs1 A G 0.4 10\n1 rs2 C T 0.3 10\n")
        return path

    def fault(self, name):
        """Returns what is wrong with the answers of one file; None if nothing is."""
        check = {"cnf": self.count, "cfn": self.cost, "wcsp": self.cost, "alist": self.code, "einsum": self.tensors,
                 "linkage": self.family}.get(name.split("/")[0], self.network)
        try:
            fault = check(name, os.path.join(self.folder, name), self.entries[name])
        except ValueError as error:
            return None if name in REFUSED and REFUSED[name] in str(error) else error
        return f"is not refused: {REFUSED[name]}" if name in REFUSED else fault


def main(mpfc, folder, work):
    os.makedirs(work, exist_ok=True)
    corpus = Corpus(mpfc, folder, work)
    faults = {name: corpus.fault(name) for name in sorted(corpus.entries)}
    for name, fault in faults.items():
        if fault is not None:
            print(f"{name}: {fault}")
    failures = sum(fault is not None for fault in faults.values())
    print(f"{len(faults)} files, {failures} failures, {len(REFUSED)} are refused for the reason expected")
    return failures != 0 or not faults


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
