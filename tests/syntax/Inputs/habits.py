"""Prints the first error, with its hint, of a model with each of some lines: habits.py MPFC FOLDER"""
import os
import subprocess
import sys

LINES = ["query rain", "query map", "query MPE", "query posteriors", "query marginl",
         "query marginal(rain)", "query best(5)", "query P(rain), P(wet)", "evidence wet = yes",
         "P(rain) = [0.5, 0.5]", "marginals", "var sky : { partly cloudy, clear }",
         "var door : { half-open, shut }", "factor f(rain) = if rain == 1 then 2 else 3",
         "factor f(rain) = if (rain == 1) 2", "factor f(rain) = ln(2)",
         "for i in range(3): factor f(rain) = 1", "prob P(rain) = { no: 80%, yes: 20% }",
         "observe rain = maybe", "param beta in 0.1..0.9", "query min() f", "query argmin() f + g",
         "query max(rain) f", "query sum"]

mpfc, folder = sys.argv[1:]
path = os.path.join(folder, "m.mpf")
for line in LINES:
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"var rain, wet : {{ no, yes }}\n{line}")
    run = subprocess.run([mpfc, "check", path], capture_output=True, text=True)
    assert run.returncode == 1, run
    said = run.stderr.splitlines()
    error = next(text.split("error: ", 1)[1] for text in said if "error: " in text)
    end = next((i for i, text in enumerate(said[1:], 1) if "error: " in text), len(said))
    hint = next((text.strip() for text in said[:end] if text.strip().startswith("hint: ")), "no hint")
    print(f"{line} -> {error} ({hint})")
