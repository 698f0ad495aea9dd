"""Adds up every test of several CTest runs, lists the longest, and ends with `N passed, N failed`.

usage: summarize.py REPORTS [REPORTS ...]
Each REPORTS folder holds ctest.xml (CTest's JUnit report) and, for the entries that are whole
suites, their own reports: one XML per gtest program and lit.xml. A suite that ended badly without
a failed case of its own (it crashed, it wrote no report) counts as one failure.
"""
import os
import sys
import xml.etree.ElementTree as ElementTree


def casesOf(path):
    """(passed, failed, skipped) of one JUnit-style report."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun" \
                or case.get("result") == "skipped":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def saysItSkips(entry):
    """A program that could be run and returned its SKIP_RETURN_CODE. One that is missing is also
    `notrun`, but that is a failure."""
    skipped = entry.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith("SKIP_")


def suiteReport(folder, name):
    """The suite's own report: simt.test_simt -> test_simt.xml, lit -> lit.xml."""
    return os.path.join(folder, name.split(".")[-1] + ".xml")


def timesOf(folder):
    """(seconds, name) of every test: of a suite's cases where it has a report, else of the whole entry."""
    times = []
    for entry in ElementTree.parse(os.path.join(folder, "ctest.xml")).iter("testcase"):
        name = entry.get("name")
        try:
            cases = list(ElementTree.parse(suiteReport(folder, name)).iter("testcase"))
        except (OSError, ElementTree.ParseError):
            cases = []
        if cases:
            times += [(float(case.get("time", 0)), f"{name}: {case.get('classname')}.{case.get('name')}")
                      for case in cases]
        else:
            times.append((float(entry.get("time", 0)), name))
    return times


def printLongest(folders, count=10):
    times = []
    for folder in folders:
        try:
            times += [(seconds, f"{os.path.basename(os.path.dirname(folder)) or folder} {name}")
                      for seconds, name in timesOf(folder)]
        except (OSError, ElementTree.ParseError):
            pass  # main() counts it as a failure
    for seconds, name in sorted(times, reverse=True)[:count]:
        print(f"{seconds:7.1f} s  {name}")


def countFolder(folder):
    totals = [0, 0, 0]
    failures = []
    for entry in ElementTree.parse(os.path.join(folder, "ctest.xml")).iter("testcase"):
        name = entry.get("name")
        status = entry.get("status")  # run, fail, notrun, disabled
        if saysItSkips(entry):
            status = "disabled"
        counts = (status == "run", status in ("fail", "notrun"), status == "disabled")
        report = suiteReport(folder, name)
        if os.path.exists(report):
            try:
                counts = casesOf(report)
            except ElementTree.ParseError:
                counts = (0, 1, 0)
            if counts[1] == 0 and status in ("fail", "notrun"):
                counts = (counts[0], 1, counts[2])
        if counts[1]:
            failures.append(f"{folder}: {name}: {int(counts[1])} failed")
        totals = [total + int(count) for total, count in zip(totals, counts)]
    return totals, failures


def main(folders):
    passed = failed = skipped = 0
    printLongest(folders)
    for folder in folders:
        try:
            counts, failures = countFolder(folder)
        except (OSError, ElementTree.ParseError) as error:
            counts, failures = (0, 1, 0), [f"{folder}: no readable CTest report: {error}"]
        for failure in failures:
            print(failure)
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    if skipped:
        print(f"{skipped} skipped: they need what this machine does not have")
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed or not passed else 0)


main(sys.argv[1:])
