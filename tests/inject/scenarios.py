"""The scenarios to try: command lines, each with a right answer."""
import os
from dataclasses import dataclass, field

COMPILED = ["--device", "cpu", "--threads", "2", "--runs", "inf", "--plan-rounds", "2"]
PLAIN = ["--device", "cpu", "--threads", "2", "--runs", "1", "--plan-rounds", "2"]


@dataclass
class Scenario:
    name: str
    argv: list
    before: tuple = ()  # command lines that make its initial state
    again: bool = True  # a second run gives the same
    forks: bool = False
    gpu: bool = False
    onCpu: tuple = ()  # the command on the CPU, to which a fault leads if the machine chose the GPU
    mayVanish: bool = False  # whether others may remove the files that it lists meanwhile
    code: int = 0  # exit code without a fault; if it is not 0, a fault must not make it 0
    stdin: str = os.devnull
    environment: dict = field(default_factory=dict)
    needs: str = ""  # a program that is not built everywhere


def gpuScenarios(mpfc):
    run = [mpfc, "run", "{in}/tri.mpf", "--plan-rounds", "2", "--device", "gpu"]
    best = [mpfc, "run", "{in}/asked.mpf", "--plan-rounds", "2", "--device", "gpu"]
    return [
        Scenario("gpu", run, gpu=True),
        Scenario("gpu-page", [mpfc, "explain", *run[2:], "--json", "{out}/page.json"], gpu=True),
        Scenario("gpu-profile", [*run, "--profile"], gpu=True),
        Scenario("gpu-verify", [*run, "--verify"], gpu=True),
        Scenario("gpu-tuned", [*run, "--autotune=3", "--runs", "1000"], gpu=True),
        Scenario("gpu-sliced", [*run[:2], "{in}/ring.mpf", *run[3:], "--max-memory", "2700"],
                 gpu=True),
        Scenario("gpu-answers", best, gpu=True),
        Scenario("gpu-cases", [mpfc, "run", "{in}/alarm.bif", "--cases", "{in}/rows.csv", "--task",
                               "PR", "--device", "gpu", "-o", "{out}/answers.csv"], gpu=True),
        Scenario("gpu-cases-bundle", [mpfc, "run", "{out}/alarm.mpfb", "--cases", "{in}/rows.csv",
                                      "--device", "gpu", "-o", "{out}/answers.csv"],
                 (caseBundle(mpfc),), gpu=True),
    ]


def autoScenarios(mpfc):
    """Scenarios on a GPU that the machine chose: with every schedule, and for cases."""
    run = [mpfc, "run", "{in}/tri.mpf", "--plan-rounds", "2", "-D", "n=200"]
    rows = [mpfc, "run", "{in}/alarm.bif", "--cases", "{in}/rows.csv", "--task", "PR", "-o",
            "{out}/answers.csv", "--runs", "1e9"]
    bundle = [mpfc, "run", "{out}/alarm.mpfb", *rows[3:5], "-o", "{out}/answers.csv", *rows[-2:]]
    cpu = ("--device", "cpu")
    return [
        Scenario("auto", [*run, "--runs", "1e9"], gpu=True,
                 onCpu=(*run, "--runs", "1e9", *cpu)),
        *[Scenario("auto-" + schedule, [*run, "--schedule", schedule], gpu=True, onCpu=(*run, *cpu))
          for schedule in ("gpu", "greedy", "acceleration")],
        Scenario("auto-cases", rows, gpu=True, onCpu=(*rows, *cpu)),
        Scenario("auto-cases-bundle", bundle, (caseBundle(mpfc),), gpu=True,
                 onCpu=(*bundle, *cpu)),
    ]


def caseBundle(mpfc, cases="rows.csv"):
    """Returns the command that makes a bundle that answers lists of cases."""
    return [mpfc, "build", "{in}/alarm.bif", "--cases", "{in}/" + cases, "--task", "MAR", "-o",
            "{out}/alarm.mpfb"]


def caseBundleScenarios(mpfc, host):
    """Bundles that answer lists of cases: built, run, damaged; saved and loaded by a program."""
    bundle = caseBundle(mpfc)
    run = [mpfc, "run", "{out}/alarm.mpfb", "--cases", "{in}/rows.csv", "--device", "cpu"]
    save = [host, "save-cases", "{out}/saved.mpfb"]
    load = [host, "load-cases", "{out}/saved.mpfb"]
    cut = ["truncate", "-s", "-100", "{out}/saved.mpfb"]
    return [
        Scenario("cases-build", bundle),
        Scenario("cases-bundle", [*run, "--threads", "2", "-o", "{out}/answers.csv"],
                 (bundle,)),
        Scenario("cases-bundle-array", [*run, "--threads", "1", "-o", "{out}/answers.npy"],
                 (bundle,)),
        Scenario("cases-explain", [mpfc, "explain", "{in}/alarm.bif", "--cases", "{in}/rows.csv",
                                   "--task", "MAR", "--max-memory", "1GiB", "--device", "cpu",
                                   "--plan-rounds", "2"]),
        Scenario("cases-lanes", [mpfc, "--emit=lanes", "{in}/alarm.bif", "--cases", "{in}/rows.csv",
                                 "--task", "MAR", "-o", "{out}/alarm.lanes"]),
        Scenario("cases-save", save),
        Scenario("cases-load", load, (save,)),
        Scenario("cases-damaged", load, (save, cut), code=1),
        Scenario("cases-session", [host, "cases", "-"]),
    ]


def casesScenarios(mpfc):
    """Lists of cases: every form of list, every engine, every form of answer."""
    def run(cases, *options, model="alarm.bif"):
        listed = ["--cases", "{in}/" + cases] if cases else []
        return [mpfc, "run", "{in}/" + model, *listed, *options, *PLAIN]
    csv, array = ["-o", "{out}/answers.csv"], ["-o", "{out}/answers.npy"]
    return [
        Scenario("cases", run("rows.csv", "--task", "PR", *csv)),
        Scenario("cases-array", run("rows.csv", "--task", "MAR", *array)),
        Scenario("cases-totals", run("rows.csv", "--task", "PR", "--totals")),
        Scenario("cases-skip", run("bad_rows.csv", "--task", "MPE", "--on-error", "skip")),
        Scenario("cases-many", run("many_rows.csv.gz", "--task", "PR", *csv)),  # many blocks
        Scenario("cases-pipe", [mpfc, "run", "{in}/alarm.bif", "--cases", "-", "--task", "MPE",
                                *PLAIN, *array], stdin="{in}/rows.csv"),
        Scenario("cases-npy", run("rows.npy", "--states", "numbers", "--task", "MAR", *csv)),
        Scenario("cases-weights", run("weights.csv", "--task", "MAR", *csv)),
        Scenario("cases-tables", run("rows.csv", "--task", "MAR", "--verify", *csv)),
        Scenario("cases-single", run("costs.csv", *csv, model="costs.mpf")),
        Scenario("cases-inputs", run("inputs.csv", "--keep-columns", "id", "--on-error", "skip", *csv,
                                     model="inputs.mpf")),
        Scenario("cases-check", [mpfc, "check", "{in}/alarm.bif", "--cases", "{in}/rows.csv"]),
        Scenario("cases-bad", run("bad_rows.csv", "--task", "PR", *csv), code=1),
        Scenario("samples", run("", "--evidence", "{in}/samples.evid", "--states", "numbers",
                                "--task", "MAR", *array)),
        Scenario("listed", run("", model="listed.mpf")),
        Scenario("swept", run("", *csv, model="swept.mpf")),
        Scenario("listed-best", run("", "--totals", model="listed_best.mpf")),
    ]


def kernelScenarios(mpfc, driver):
    """Texts of kernels: checked after an edit, written and read beside a GPU."""
    checker = os.path.join(os.path.dirname(mpfc), "mpf-check-kernel")
    text = [mpfc, "--emit=cuda", "{in}/tri.mpf", "-D", "n=4", "--plan-rounds", "2",
            "--target", "sm_90", "-o", "{out}/kernel.cu"]
    run = [mpfc, "run", "{in}/tri.mpf", "--plan-rounds", "2", "--device", "gpu",
           "--runs", "inf"]
    gpu = {"MPF_LIBCUDA": driver}
    unsound = (text, ["sed", "-i", r"s/acc\[0\] += /acc[0] = /", "{out}/kernel.cu"])
    return [
        Scenario("cuda-text", text),
        Scenario("check-kernel", [mpfc, "check-kernel", "{out}/kernel.cu"], (text,), forks=True,
                 needs=checker),
        Scenario("checker", [checker, "kernel.cu"], (text,), forks=True, needs=checker,
                 stdin="{out}/kernel.cu"),
        Scenario("unsound", [mpfc, "check-kernel", "{out}/kernel.cu"], unsound, code=1, forks=True,
                 needs=checker),
        Scenario("unsound-checker", [checker, "kernel.cu"], unsound, code=1, forks=True,
                 needs=checker, stdin="{out}/kernel.cu"),
        Scenario("dump", [*run, "--dump-kernels", "{out}/kernels"], (run,), environment=gpu,
                 needs=driver),
        Scenario("override", [*run, "--override-kernels", "{out}/kernels"],
                 ([*run, "--dump-kernels", "{out}/kernels"],), environment=gpu, needs=driver),
    ]


def scenariosOf(mpfc, host, driver):
    cold = [mpfc, "run", "{in}/tri.mpf", *COMPILED]
    return [
        Scenario("help", [mpfc]),
        Scenario("help-run", [mpfc, "run", "--help"]),
        Scenario("check", [mpfc, "check", "{in}/asked.mpf"]),
        Scenario("import", [mpfc, "import", "{in}/alarm.bif", "-o", "{out}/alarm.mpf"]),
        Scenario("gzip", [mpfc, "check", "{in}/alarm.bif.gz"]),
        Scenario("xz", [mpfc, "check", "{in}/alarm.bif.xz"]),
        Scenario("plan", [mpfc, "--emit=plan", "{in}/asked.mpf", "--query", "evidence",
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
                 (["sh", "-c", "sed 's/ = /=/' {in}/tri.mpf > {out}/tri.mpf"],)),
        Scenario("list", [mpfc, "cache", "list"], (cold,), mayVanish=True),
        Scenario("bundle", [mpfc, "run", "{out}/tri.mpfb", "--device", "cpu", "--threads", "2",
                            "--runs", "1"],
                 ([mpfc, "build", "{in}/tri.mpf", "--plan-rounds", "2", "-o", "{out}/tri.mpfb"],)),
        Scenario("damaged", [host, "load", "{out}/saved.mpfb"],
                 ([host, "save", "{out}/saved.mpfb"],
                  ["truncate", "-s", "-100", "{out}/saved.mpfb"]), code=1),
        Scenario("schedule", [mpfc, "--emit=schedule", "{in}/tri.mpf", "--device", "gpu",
                              "--plan-rounds", "2"]),
        *casesScenarios(mpfc),
        *caseBundleScenarios(mpfc, host),
        *kernelScenarios(mpfc, driver),
        *gpuScenarios(mpfc),
        *autoScenarios(mpfc),
        Scenario("clear", [mpfc, "cache", "clear"], (cold,), again=False, mayVanish=True),
    ]
