#include "tools/mpf-bench/case_options.h"
#include "tools/mpf-bench/list_option.h"
#include "tools/mpf-bench/number_checks.h"

#include "tools/mpf-bench/cases/case_peers.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mpf::bench {

void addCaseOptions(CLI::App &command, CaseBenchOptions &o) {
  command.add_option("MODEL", o.models, "models")->required();
  addList(command, "--task,--tasks", o.tasks, {"PR", "MAR", "MPE"},
          "evidence, all marginals, best assignment");
  addList(command, "--type,--types", o.types, {"f32", "f64"}, "entries of the tables");
  addList(command, "--device,--devices", o.devices, {"gpu", "cpu"}, "of mpf");
  addList(command, "--peers", o.peers, casePeerNames(), "other programs, where they are installed");
  command.add_option("--rows", o.rows, "cases in memory")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  command.add_option("--observed", o.observed, "share of the cells that are observed")
      ->check(between(0, 1))
      ->capture_default_str();
  command.add_option("--seconds", o.seconds, "of measuring each model")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--threads", o.threads, "0: one per core")->check(CLI::Range(0u, 1024u));
  command.add_option("--kernel", o.kernel, "--device gpu: what answers the cases")
      ->check(CLI::IsMember({"auto", "threads", "teams", "table-driven"}))
      ->capture_default_str();
  command
      .add_option("--team-warps", o.teamWarps,
                  "--device gpu: warps of a table-driven team, 0: as many as are chosen")
      ->check(CLI::IsMember({0, 1, 2, 4, 8, 16}))
      ->capture_default_str();
  command
      .add_option("--expected-rows", o.expectedRows,
                  "--device cpu: rows over which compiling kernels must pay, 0: compile none")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--checked", o.checked, "rows compared with exact single runs")
      ->capture_default_str();
  command
      .add_option("--sweep", o.sweep,
                  "1,16,256: so many cases at a time, beside a loop of single runs")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1u << 30));
  command.add_flag("--profile", o.profile,
                   "--sweep, --device cpu: what each step of the lanes takes, beside its floor");
  command.add_option("--python", o.python, "that imports the other programs")
      ->capture_default_str();
  command.add_option("--peer-script", o.peerScript, "case_peers.py")->capture_default_str();
  command.add_option("--peer-seconds", o.peerSeconds, "of answering, of each peer")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--json", o.jsonFile, "file for the figures as JSON");
  command.add_option("--html", o.htmlFile, "file for a page with plots");
}

void addDrawCasesOptions(CLI::App &command, DrawCasesOptions &o) {
  command.add_option("MODEL", o.model)->required();
  command.add_option("OUT.csv", o.output)->required();
  command.add_option("--rows", o.rows)
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  command.add_option("--observed", o.observed, "share of the cells that are observed")
      ->check(between(0, 1))
      ->capture_default_str();
}

} // namespace mpf::bench
