"""Runs a scenario on a fake GPU (../support/fake_cuda.cpp) and makes one of its calls fail.

Answers are not compared, because kernels do nothing. The judge checks the exit code, and that all
objects of the device are given back.

If the machine, not the user, chose the GPU (Scenario.onCpu), a failing call is no error. Either the run
succeeds on the GPU, or it reports once that the CPU took over, and gives the CPU's answer."""
import os

from judge import MISSING, Judge, plain, plainState

CODES = {"out-of-memory": 2, "not-initialised": 3, "device-lost": 709, "launch-failed": 719,
         "unknown": 999}
FELL_BACK = b"on the CPU, for the GPU failed"


class GpuJudge:
    def __init__(self, world, driver):
        self.world = world
        self.counts = os.path.join(world.folder, "gpu-counts")
        self.fixed = {"MPF_LIBCUDA": driver, "MPF_FAKE_CUDA_COUNTS": self.counts}
        self.starts = {}
        self.answers = {}  # by scenario: (stdout, state of out) of the CPU alone

    def run(self, scenario, extra):
        """Returns World.run's result, the number of calls of the driver, and the number of objects
        that were not given back."""
        if os.path.exists(self.counts):
            os.unlink(self.counts)
        said = self.world.run(scenario.argv, {**self.fixed, **extra})
        calls = live = None
        if os.path.exists(self.counts):
            with open(self.counts, encoding="ascii") as file:
                calls, live = map(int, file.read().split())
        return said, calls, live

    def prepare(self, scenario):
        """Returns the state with all kernels compiled, and the number of calls; both are empty if
        there is no compiler."""
        if scenario.name not in self.starts:
            self.world.clean()
            for argv in scenario.before:
                code, _, err, _ = self.world.run(argv, self.fixed)
                if code != 0:
                    raise SystemExit(f"{scenario.name}: {argv} ended with {code}: {err.decode()}")
            (code, _, err, _), _, _ = self.run(scenario, {})
            if code == MISSING:
                return {}, 0
            state = self.world.state("out", "cache")
            (code, _, err, _), calls, live = self.run(scenario, {})
            if code not in (0, 1, 6) or live != 0:
                raise SystemExit(f"{scenario.name}: {code}, {live} left: {err.decode()}")
            self.starts[scenario.name] = state, calls
        return self.starts[scenario.name]

    def answerOf(self, scenario, state):
        if scenario.name not in self.answers:
            self.world.restore(state)
            code, out, err, _ = self.world.run(scenario.onCpu)
            if code != 0:
                raise SystemExit(f"{scenario.name}: {code} on the CPU: {err.decode()}")
            self.answers[scenario.name] = plain(out), plainState(self.world.state("out"))
        return self.answers[scenario.name]

    def judgeFallBack(self, scenario, said, expected, faults):
        code, out, err, _ = said
        told = err.count(FELL_BACK)
        if code != 0:
            faults.append(("no fall back", ""))
        elif told > 1:
            faults.append(("no fall back", f"told {told} times"))
        elif told == 1 and (plain(out), plainState(self.world.state("out"))) != expected:
            faults.append(("wrong answer", out.decode(errors="replace")[:200]))

    def specs(self, scenario):
        _, calls = self.prepare(scenario)
        for number in range(1, calls + 1):
            for code in CODES:
                yield number, ("", code)
            yield number, ("+", "device-lost")

    def tryPoint(self, scenario, point):
        state, _ = self.prepare(scenario)
        expected = self.answerOf(scenario, state) if scenario.onCpu else None
        self.world.restore(state)
        _, number, how = point.spec.split(":")
        said, calls, live = self.run(scenario, {"MPF_FAKE_CUDA": f"{number}:{CODES[how]}"})
        code, _, err, stays = said
        faults = []
        Judge.judgeEnd(code, err, False, faults)
        if expected:
            self.judgeFallBack(scenario, said, expected, faults)
        if live:
            faults.append(("leak", f"{live} things of the device"))
        if stays:
            faults.append(("child left", ""))
        reached = calls is not None and calls >= point.number
        return reached, [(kind, f"exit {code}; {words}; {err.decode(errors='replace')[:300]}")
                         for kind, words in faults], ""
