"""Checks that the text and the JSON of `mpfc explain` for a list of cases agree with each other and with
the lane program.

usage: compare_cases.py REPORT.txt REPORT.json PROGRAM.lanes
"""
import json
import re
import sys


def figure(text, pattern):
    match = re.search(pattern, text)
    assert match, (pattern, text)
    return match[1]


def operations(lines, keyword):
    return sum(line.startswith(keyword + " ") for line in lines)


def checkLanes(lanes, program):
    lines = program.splitlines()
    assert lanes["common_operations"] == operations(lines, "common")
    assert lanes["gathers"] == operations(lines, "gather")
    assert lanes["products"] == operations(lines, "step")
    assert lanes["lane_elems"] == int(figure(program, r"lane_elems=(\d+)"))
    assert lanes["shared_elems"] == int(figure(program, r"shared_elems=(\d+)"))
    addresses = int(figure(program, r"addresses_per_case=(\d+)"))
    assert addresses <= lanes["multiply_adds"] <= lanes["lane_cost"], lanes
    # Rows of common tables are the part below the frontier.
    tables = [line.split()[1:3] for line in lines if line.startswith("table ")]
    picked = {int(line.split()[3]): len(line.split("   #")[0].split()) - 5
              for line in lines if line.startswith("gather ")}
    below = {tables[table][0]: digits for table, digits in picked.items()
             if tables[table][1] == "common"}
    assert below == {table["table"]: len(table["evidence_digits"])
                     for table in lanes["frontier"]}, (below, lanes["frontier"])
    sizes = [table["rows"] * table["row_elems"] for table in lanes["frontier"]]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes, default=0) <= lanes["frontier_bound_elems"]


def checkQuery(text, query, program):
    cases = query["cases"]
    engines = [engine for engine in cases["engines"] if engine["chosen"]]
    assert len(engines) == 1 and not engines[0]["refused"]
    chosen = engines[0]
    assert figure(text, r"  engine +(.+?) \(predicted") == chosen["engine"]
    assert int(figure(text, r"cases at a time +(\d+)")) == chosen["cases_at_once"]
    assert int(figure(text, r"blocks of up to (\d+)")) == chosen["block_cases"]
    assert chosen["rows_per_second"] > 0 and chosen["case_bytes"] > 0
    last = -1
    for engine in cases["engines"]:  # in this order
        at = text.find("    " + engine["engine"] + " ", last + 1)
        assert at > last, (engine["engine"], text)
        last = at
    checkLanes(chosen["lanes"], program)


def main(textPath, jsonPath, programPath):
    texts = []
    for path in (textPath, programPath):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    with open(jsonPath, encoding="utf-8") as file:
        queries = json.load(file)["queries"]
    assert len(queries) == 1
    checkQuery(texts[0], queries[0], texts[1])
    print("1 queries agree")


main(*sys.argv[1:])
