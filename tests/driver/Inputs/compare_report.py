"""Checks that the text and the JSON of `mpfc explain` agree, and that the JSON is consistent.

usage: compare_report.py REPORT.txt REPORT.json
"""
import json
import re
import sys


def figure(text, pattern):
    match = re.search(pattern, text)
    return match[1] if match else None


def checkTree(buckets):
    """Messages go to later buckets; downward operations belong to upward ones."""
    for i, bucket in enumerate(buckets):
        parent = bucket["parent"]
        if bucket["downward"]:
            assert parent is not None and not buckets[parent]["downward"], bucket
        elif parent is not None:
            assert parent > i and bucket["name"] in buckets[parent]["operands"], bucket


def checkTimeline(text, query):
    """The time line is as long as the planner predicts, and each lane does one thing at a time."""
    line = query["timeline"]
    bars = line["bars"]
    chosen = [offer["time_us"] for offer in query["placements"] if offer["chosen"]]
    assert chosen == [line["open_us"] + line["end_us"]], (chosen, line["open_us"], line["end_us"])
    assert max(bar["end_us"] for bar in bars) == line["end_us"]
    assert abs(query["predicted_us"] - line["end_us"]) <= 1e-9 * line["end_us"], query["predicted_us"]
    once = [phase["time_us"] for phase in query["phases"] if phase["once"]]
    planning = [phase["time_us"] for phase in query["phases"] if phase["phase"] == "planning"]
    more = query["first_time_us"] - query["predicted_us"]
    assert sum(planning) * (1 - 1e-9) <= more <= sum(once) * (1 + 1e-9), (planning, more, once)
    assert set(bar["lane"] for bar in bars) == set(line["lanes"])
    free = dict.fromkeys(line["lanes"], 0)
    for bar in bars:
        assert free[bar["lane"]] <= bar["start_us"] <= bar["end_us"], bar
        free[bar["lane"]] = bar["end_us"]
        if bar["operations"] == 1 and bar["bucket"] is not None:
            bucket = query["buckets"][bar["bucket"]]
            assert bar["what"] == bucket["name"]
            assert (bar["lane"] != "cpu") == bucket["on_gpu"], bar
    shown = re.search(r"^  time line: .*", text, re.M)[0]
    assert "--schedule" not in shown or f"by --schedule {query['schedule']}" in shown, shown


def checkQuery(text, query):
    network, memory, buckets = query["network"], query["memory"], query["buckets"]
    assert text.startswith(query["query"] + "\n"), (text[:40], query["query"])
    assert figure(text, r"variables +(\d+)") == str(network["variables"])
    assert figure(text, r"(\d+) are zero") == str(network["zero_entries"])
    assert figure(text, r"induced width +(\d+) \(var") == str(query["induced_width"])
    bits = query["log2_operations"]
    assert figure(text, r"operations +(\S+) \(mul") == ("0" if bits == "-inf" else f"2^{bits:.2f}")
    assert figure(text, r"  buckets +(\d+)") == str(len(buckets)), text
    assert figure(text, r"--device auto: ([\w ]+)\)") == query["auto_device"]
    costliest = re.findall(r"^    (\S+) +[\d.<]+ %  ", text, re.M)
    assert costliest == [dear["name"] for dear in query["costliest"]], costliest
    costs = [bucket["gpu_us" if bucket["on_gpu"] else "cpu_us"] for bucket in buckets]
    for dear in query["costliest"]:
        share = costs[dear["bucket"]] / sum(costs)
        assert abs(dear["share"] - share) <= 1e-9, (dear["name"], dear["share"], share)
    assert memory["peak_bytes"] == memory["input_bytes"] + memory["work_bytes"]
    live = [bytes_ for _, bytes_ in memory["live_bytes"]]
    assert max(live) <= memory["peak_bytes"], (max(live), memory["peak_bytes"])
    assert max(live) == dict(memory["live_bytes"])[memory["worst_operation"]]
    for dear in query["costliest"]:
        kernel, bucket = dear["kernel"], buckets[dear["bucket"]]
        assert bucket["name"] == dear["name"]
        floor = max(bucket["floor_bytes_us"], bucket["floor_arithmetic_us"])
        assert abs(floor - bucket["runs"] * kernel["floor_us"]) <= 1e-9 * floor, (floor, kernel["floor_us"])
        assert kernel["predicted_us"] >= kernel["floor_us"]
    checkTimeline(text, query)
    if query["sliced"]:
        assert query["slices"] == max(bucket["runs"] for bucket in buckets)
        assert query["auto_device"] == "cpu"
        checkTree(buckets)
        return
    running = sum(phase["time_us"] for phase in query["phases"]
                  if phase["phase"] == "running" and phase["device"] == query["target"])
    assert abs(running - sum(bucket["gpu_us"] for bucket in buckets)) <= 1e-6 * running
    checkTree(buckets)


def main(textPath, jsonPath):
    with open(textPath, encoding="utf-8") as file:
        texts = [part for part in re.split(r"^query ", file.read(), flags=re.M) if part]
    with open(jsonPath, encoding="utf-8") as file:
        queries = json.load(file)["queries"]
    assert len(texts) == len(queries), (len(texts), len(queries))
    for text, query in zip(texts, queries):
        checkQuery(text, query)
    print(f"{len(queries)} queries agree")


main(*sys.argv[1:])
