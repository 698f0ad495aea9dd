"""What is tried: command lines, each with a right answer."""
from dataclasses import dataclass

COMPILED = ["--device", "cpu", "--threads", "2", "--expected-runs", "inf", "--plan-rounds", "2"]
PLAIN = ["--device", "cpu", "--threads", "2", "--expected-runs", "1", "--plan-rounds", "2"]


@dataclass
class Scenario:
    name: str
    argv: list
    before: tuple = ()  # command lines that make what it starts from
    again: bool = True  # a second run gives the same
    forks: bool = False
    gpu: bool = False
    mayVanish: bool = False  # what it lists may be removed by others meanwhile


def gpuScenarios(mpfc):
    run = [mpfc, "run", "{in}/tri.mpf", "--plan-rounds", "2", "--device", "gpu"]
    best = [mpfc, "run", "{in}/asked.mpf", "--plan-rounds", "2", "--device", "gpu"]
    return [
        Scenario("gpu", run, gpu=True),
        Scenario("gpu-page", [mpfc, "explain", *run[2:], "--json", "{out}/page.json"], gpu=True),
        Scenario("gpu-profile", [*run, "--profile"], gpu=True),
        Scenario("gpu-verify", [*run, "--verify"], gpu=True),
        Scenario("gpu-tuned", [*run, "--autotune=3", "--expected-runs", "1000"], gpu=True),
        Scenario("gpu-sliced", [*run[:2], "{in}/ring.mpf", *run[3:], "--max-memory", "2700"],
                 gpu=True),
        Scenario("gpu-answers", best, gpu=True),
    ]


def scenariosOf(mpfc, host):
    cold = [mpfc, "run", "{in}/tri.mpf", *COMPILED]
    return [
        Scenario("check", [mpfc, "check", "{in}/asked.mpf"]),
        Scenario("import", [mpfc, "import", "{in}/alarm.bif", "-o", "{out}/alarm.mpf"]),
        Scenario("gzip", [mpfc, "check", "{in}/alarm.bif.gz"]),
        Scenario("xz", [mpfc, "check", "{in}/alarm.bif.xz"]),
        Scenario("plan", [mpfc, "--emit=plan", "{in}/asked.mpf", "--query-name", "evidence",
                          "--device", "cpu", "--plan-rounds", "2"]),
        Scenario("build", [mpfc, "build", "{in}/tri.mpf", "--plan-rounds", "2",
                           "-o", "{out}/tri.mpfb"]),
        Scenario("answers", [mpfc, "run", "{in}/asked.mpf", *PLAIN, "--task", "MAR",
                             "-o", "{out}/asked.MAR"]),
        Scenario("json", [mpfc, "run", "{in}/asked.mpf", *PLAIN, "--json",
                          "{out}/asked.json"]),
        Scenario("cold", cold, forks=True),
        Scenario("warm", cold, (cold,), forks=True),
        Scenario("sliced", [mpfc, "run", "{in}/ring.mpf", *PLAIN, "--max-memory", "2700"]),
        Scenario("save", [host, "save", "{out}/saved.mpfb"]),
        Scenario("load", [host, "load", "{out}/saved.mpfb"], ([host, "save", "{out}/saved.mpfb"],)),
        Scenario("session", [host, "session", "-"]),
        Scenario("page", [mpfc, "explain", "{in}/tri.mpf", "--device", "cpu", "--plan-rounds", "2",
                          "--max-memory", "1GiB", "--html", "{out}/page.html"]),
        Scenario("format", [mpfc, "fmt", "-i", "{out}/tri.mpf"],
                 (["cp", "{in}/tri.mpf", "{out}/tri.mpf"],)),
        Scenario("list", [mpfc, "cache", "list"], (cold,), mayVanish=True),
        *gpuScenarios(mpfc),
        Scenario("clear", [mpfc, "cache", "clear"], (cold,), again=False, mayVanish=True),
    ]
