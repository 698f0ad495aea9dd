// mpf-bench: measurements that RESULTS.md reports. Never part of the tests' verdict.
#include "dsl/support/error.h"
#include "tools/mpf-bench/bench_buckets.h"
#include "tools/mpf-bench/bench_cases.h"
#include "tools/mpf-bench/bench_device_runs.h"
#include "tools/mpf-bench/bench_networks.h"
#include "tools/mpf-bench/bench_papers.h"
#include "tools/mpf-bench/bench_runs.h"
#include "tools/mpf-bench/bench_session_runs.h"
#include "tools/mpf-bench/bench_threads.h"
#include "tools/mpf-bench/case_options.h"
#include "tools/mpf-bench/list_option.h"
#include "tools/mpf-bench/measure/plan_buckets.h"
#include "tools/mpf-bench/networks/drawn_sets.h"
#include "tools/mpf-bench/networks/network_solvers.h"
#include "tools/mpf-bench/number_checks.h"
#include "tools/mpf-bench/shapes/choose_shapes.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <string>

namespace {

using mpf::bench::addList;
using mpf::bench::between;
using mpf::bench::positive;

/// Adds the options for buckets, device and kernels.
void addKernelOptions(CLI::App &command, mpf::bench::BucketBenchOptions &o) {
  addList(command, "--set", o.sets, mpf::bench::setNames(), "sets of buckets");
  addList(command, "--names", o.names, {}, "only these buckets");
  using mpf::bench::BucketMeans;
  const std::map<std::string, BucketMeans> devices = {{"gpu", BucketMeans::Gpu},
                                                      {"cpu", BucketMeans::Cpu},
                                                      {"nvrtc", BucketMeans::Compiler},
                                                      {"none", BucketMeans::None}};
  command
      .add_option_function<std::string>(
          "--device", [&o, devices](const std::string &word) { o.device = devices.at(word); },
          "none: predictions; nvrtc: and kernels compiled")
      ->check(CLI::IsMember({"gpu", "cpu", "nvrtc", "none"}))
      ->default_str("none");
  command.add_option("--target", o.target, "with --device none or nvrtc: sm_80 .. sm_120, cpu")
      ->capture_default_str();
  addList(command, "--types", o.types, {"f32", "f64"}, "element types");
  addList(command, "--forms", o.forms, {"linear", "log"}, "value forms");
  addList(command, "--semirings", o.semirings, {},
          "sum-product, max-product, min-product, max-sum, min-sum");
  command.add_option("--family", o.family, "kernel family; ics08: the paper's scheme")
      ->check(CLI::IsMember(mpf::bench::familyChoices()))
      ->capture_default_str();
  command
      .add_option("--autotune", o.autotune,
                  "--device gpu: measure so many candidates of each bucket, take the fastest")
      ->check(CLI::Range(2u, 64u));
  command.add_option("--stages", o.stages, "only kernels with so many pages in flight")
      ->check(CLI::Range(1u, 8u));
  command.add_option("--splits", o.splits, "split sums into so many; 1: leave them whole")
      ->check(positive());
  command.add_option("--chain-tile", o.chain.tileElems, "chains: entries of a thread's tile");
  command.add_option("--chain-line", o.chain.lineBytes, "chains: contiguous bytes of a page");
  command.add_option("--chain-threads", o.chain.threads, "chains: threads of a block");
  command.add_option("--chain-pages", o.chain.pagesPerBlock, "chains: pages of a block")
      ->check(positive());
  command.add_option("--layouts", o.layouts, "of random buckets")
      ->check(CLI::IsMember({"free", "global"}))
      ->capture_default_str();
}

/// Adds the options for the number and size of buckets, and for time limits.
void addLimitOptions(CLI::App &command, mpf::bench::BucketBenchOptions &o) {
  command.add_option("--limit", o.limit, "buckets of each set (700 ics08, 5000 gems)")->take_last();
  command.add_option("--seed", o.seed, "of the random sets")->capture_default_str();
  command.add_option("--min-ops", o.minOperations, "least operations of a bucket")
      ->check(positive());
  command.add_option("--max-ops", o.maxOperations, "greatest; larger fixed buckets are shrunk")
      ->check(positive());
  command.add_option("--max-elems", o.maxElems, "table entries of a random bucket")
      ->check(between(1e3, 0x1p36));
  command.add_option("--repeats", o.repeats, "timed runs per bucket")->check(positive());
  command.add_option("--bucket-seconds", o.bucketSeconds, "time limit of one bucket")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--total-seconds", o.totalSeconds, "buckets after that are skipped")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--checked", o.checkedEntries, "entries recomputed before timing")
      ->check(CLI::Range(2u, 1'000'000u))
      ->capture_default_str();
}

/// Adds the options for what is timed, and what it is compared with.
void addTimingOptions(CLI::App &command, mpf::bench::BucketBenchOptions &o) {
  command
      .add_option("--timing", o.timing,
                  "--device gpu: one launch after L2 was swept; one of a train of launches whose "
                  "tables are not in L2; or whose tables are")
      ->check(CLI::IsMember({"alone", "train", "warm"}))
      ->capture_default_str();
  command
      .add_option(
          "--wait", o.wait,
          "--timing train, warm: when a launch waits for the one before: before it reads, as if "
          "that wrote its operands; before it stores, as if that read from the same memory; "
          "before it ends, as where they share none")
      ->check(CLI::IsMember({"begin", "stores", "end"}))
      ->capture_default_str();
  command.add_flag("--cublas", o.cublas,
                   "--device gpu: time cuBLAS on the same matrix products (MPF_LIBCUBLAS)");
  command.add_flag(
      "--compiled", o.compiled,
      "--device cpu: compile every bucket's kernel; the gain is over the built-in ones");
  command
      .add_option("--threads", o.threads, "0: all for planning and compiling, 1 for --device cpu")
      ->check(CLI::Range(0u, 1024u));
}

void addReportOptions(CLI::App &command, mpf::bench::BucketBenchOptions &o) {
  command.add_flag("--summary", o.summaryOnly, "no line per bucket");
  command.add_option("--json", o.jsonFile, "file for the report as JSON");
  command.add_option("--html", o.htmlFile, "file for the report as a page with scatter plots");
  command.add_option("--against", o.againstFile, "another --json: how much faster than there")
      ->check(CLI::ExistingFile);
  command.add_option("--export", o.exportFile, "file for the buckets themselves, for peers.py");
  command.add_option("--dump", o.dumpFolder, "folder for plans and sources");
}

void addBucketOptions(CLI::App &command, mpf::bench::BucketBenchOptions &o) {
  addKernelOptions(command, o);
  addLimitOptions(command, o);
  addTimingOptions(command, o);
  addReportOptions(command, o);
}

void addRunOptions(CLI::App &command, mpf::bench::RunBenchOptions &o) {
  command.add_option("MODEL", o.models, "models")->required();
  command.add_option("--query-name", o.query, "which query of each (default: the only one)");
  command.add_option("--device", o.device)
      ->check(CLI::IsMember({"gpu", "cpu", "auto"}))
      ->capture_default_str();
  command.add_option("--schedule", o.schedules, "--device auto: auto,cpu,gpu,greedy,acceleration")
      ->delimiter(',');
  command.add_option("--threads", o.threads, "0: one per core")->check(CLI::Range(0u, 1024u));
  command.add_option("--type", o.type, "entries of the tables")
      ->check(CLI::IsMember({"f32", "f64", "u64", "u128"}))
      ->capture_default_str();
  command.add_flag("--profile", o.profile, "and the operations of one run more");
  command.add_option("--session-runs", o.sessionRuns,
                     "so many of one session instead: memory and bits must stay as they are");
  command.add_flag("--on-device", o.onDevice,
                   "values and results stay on the GPU, beside runs that take them from the host");
  command.add_option("--repeats", o.repeats, "timed runs")
      ->check(CLI::Range(1u, 1'000'000u))
      ->capture_default_str();
  command.add_option("--expected-runs", o.expectedRuns, "over which compiling a kernel must pay")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--max-memory", o.maxMemoryBytes,
                     "bytes of tables: slices where it takes more");
  command.add_flag("--simplified", o.simplified, "values and evidence are final");
  command.add_option("--slices-at-once", o.slicesAtOnce,
                     "GPU: slices of each loop side by side; 0: as predicted");
  command.add_option("--resident", o.resident, "GPU: launches whose blocks wait for each other")
      ->check(CLI::IsMember({"auto", "off", "on"}))
      ->capture_default_str();
}

void addNetworkListOptions(CLI::App &command, mpf::bench::NetworkBenchOptions &o) {
  addList(command, "--tasks", o.tasks, {"PR", "MAR", "MPE"},
          "evidence, all marginals, best assignment");
  addList(command, "--devices", o.devices, mpf::bench::networkDeviceNames(),
          "of mpf; gpu-synchronous: no copy stands beside launches; auto, greedy, acceleration: "
          "CPU and GPU, as --schedule of mpfc spreads them");
  addList(command, "--peers", o.peers, mpf::bench::networkPeerNames(),
          "other programs, where they are installed");
  command.add_option("--names", o.names, "only instances with this in their names")->delimiter(',');
  command.add_option("--threads", o.threads, "of mpf on the CPU, each; peers take the most")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
}

void addNetworksOptions(CLI::App &command, mpf::bench::NetworkBenchOptions &o) {
  command.add_option("PATH", o.paths, "models, and folders of them, with their evidence")
      ->required();
  addNetworkListOptions(command, o);
  command.add_option("--arch", o.arch, "GPU that is planned for: sm_80 .. sm_120");
  command.add_option("--type", o.type, "entries of the tables")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->capture_default_str();
  command.add_option("--seconds", o.seconds, "limit of each process")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--memory", o.memoryGib, "GiB of tables on the CPU, and of other programs")
      ->check(positive())
      ->capture_default_str();
  command
      .add_option("--repeat-seconds", o.repeatSeconds,
                  "of later runs; one where the first took longer, none where ten times that")
      ->check(between(0, 1e9))
      ->capture_default_str();
  command.add_option("--expected-runs", o.expectedRuns, "over which compiling a kernel must pay")
      ->check(positive());
  command.add_flag("--no-cold", o.skipCold, "no first process with an empty cache of kernels");
  command.add_option("--python", o.python, "that imports the other programs")
      ->capture_default_str();
  command.add_option("--peer-script", o.peerScript, "network_peers.py")->capture_default_str();
  command.add_option("--json", o.jsonFile, "file for the figures as JSON");
  command.add_option("--html", o.htmlFile, "file for a page with plots");
  command.add_option("--planning", o.planningFile, "NAME.md, NAME.csv: times of planning");
}

/// Adds the options of `network`, the processes of `networks`.
void addNetworkOptions(CLI::App &command, mpf::bench::NetworkTask &o) {
  command.add_option("MODEL", o.model)->required();
  command.add_option("--evid", o.evidence);
  command.add_option("--task", o.task)->check(CLI::IsMember({"PR", "MAR", "MPE"}));
  command.add_option("--device", o.device)->check(CLI::IsMember(mpf::bench::networkDeviceNames()));
  command.add_option("--arch", o.arch);
  command.add_option("--threads", o.threads);
  command.add_option("--type", o.type)->check(CLI::IsMember({"f32", "f64"}));
  command.add_option("--memory", o.memoryGib);
  command.add_option("--repeat-seconds", o.repeatSeconds);
  command.add_option("--expected-runs", o.expectedRuns);
  command.add_option("--json", o.json)->required();
}

void addThreadOptions(CLI::App &command, mpf::bench::ThreadBenchOptions &o) {
  command.add_option("PATH", o.paths, "models, and folders of them, with their evidence")
      ->required();
  command.add_option("--names", o.names, "only instances with this in their names")->delimiter(',');
  command.add_option("--tasks", o.tasks, "evidence, all marginals, best assignment")
      ->delimiter(',')
      ->check(CLI::IsMember({"PR", "MAR", "MPE"}))
      ->capture_default_str();
  command.add_option("--threads", o.threads, "in turn; ratios are over the first")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  command.add_option("--type", o.type, "entries of the tables")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->capture_default_str();
  command.add_option("--least-ms", o.leastMs, "a run, of programs that are looked at")
      ->check(between(0, 1e9))
      ->capture_default_str();
  command.add_option("--most-ms", o.mostMs, "the same")
      ->check(between(0, 1e9))
      ->capture_default_str();
  command.add_option("--seconds", o.seconds, "of measuring each program")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--memory", o.memoryGib, "GiB of tables")->check(positive());
  command.add_option("--expected-runs", o.expectedRuns, "over which compiling a kernel must pay")
      ->check(positive())
      ->capture_default_str();
}

void addDrawOptions(CLI::App &command, mpf::bench::DrawNetworksOptions &o) {
  command.add_option("FOLDER", o.folder)->required();
  command.add_option("--set", o.sets, "Gems chapter, table 2; ICPP'10 section 5.1")
      ->delimiter(',')
      ->check(CLI::IsMember(mpf::bench::drawnSetNames()))
      ->capture_default_str();
  command.add_option("--sizes", o.sizes, "tasks or nodes (default: the papers')")
      ->delimiter(',')
      ->check(CLI::Range(2u, 1'000'000u));
  command.add_option("--largest-bucket", o.largestBucket, "entries, of gems-trees")
      ->check(CLI::Range(4.0, 0x1p36));
  command.add_option("--count", o.count, "of each size")->capture_default_str();
  command.add_option("--seed", o.seed)->capture_default_str();
}

void addPaperOptions(CLI::App &command, mpf::bench::PaperOptions &o) {
  command.add_option("PAPER", o.paper)->required()->check(CLI::IsMember(mpf::bench::paperNames()));
  command.add_option("--items", o.items, "only these: 'table 1,figure 6'");
  command.add_option("--device", o.device, "auto: the GPU too, where there is one")
      ->check(CLI::IsMember({"auto", "cpu"}))
      ->capture_default_str();
  command.add_option("--threads", o.threads, "of the CPU (default: one, and one per core)")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1024u));
  command.add_option("--networks", o.networks, "models and folders instead of drawn networks");
  command
      .add_option("--sizes", o.sizes,
                  "of drawn networks, in tasks, nodes or cliques (default: the papers', but 64 "
                  "cliques where icpp10 has 128)")
      ->delimiter(',')
      ->check(CLI::Range(2u, 1'000'000u));
  command.add_option("--largest-bucket", o.largestBucket, "entries, of drawn trees of tasks")
      ->check(CLI::Range(4.0, 0x1p36))
      ->capture_default_str();
  command.add_option("--buckets", o.buckets, "random ones")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--max-ops", o.mostOperations, "of a bucket")->check(positive());
  command
      .add_option("--width", o.width, "widest clique, in variables of two states (icpp10 has 15)")
      ->check(CLI::Range(3u, 24u))
      ->capture_default_str();
  command.add_option("--cases", o.casesAtATime, "at a time")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1u << 30))
      ->capture_default_str();
  command.add_option("--seconds", o.seconds, "of each measurement that repeats")
      ->check(positive())
      ->capture_default_str();
  command.add_option("--seed", o.seed)->capture_default_str();
  command.add_option("--json", o.jsonFile, "file for the figures as JSON");
  command.add_option("--html", o.htmlFile, "file for a page with plots");
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Measures kernels of mpf; every line is a figure with its floor."};
  app.require_subcommand(1);
  mpf::bench::BucketBenchOptions buckets;
  addBucketOptions(*app.add_subcommand("buckets", "single buckets on a GPU or the CPU"), buckets);
  mpf::bench::RunBenchOptions runs;
  CLI::App &runCommand = *app.add_subcommand("runs", "whole programs that run again and again");
  addRunOptions(runCommand, runs);
  mpf::bench::CaseBenchOptions cases;
  cases.peerScript = MPF_CASE_PEERS;
  CLI::App &caseCommand = *app.add_subcommand("cases", "lists of cases in memory");
  mpf::bench::addCaseOptions(caseCommand, cases);
  mpf::bench::NetworkBenchOptions networks;
  networks.peerScript = MPF_NETWORK_PEERS;
  CLI::App &networksCommand = *app.add_subcommand("networks", "whole networks, phase by phase");
  addNetworksOptions(networksCommand, networks);
  mpf::bench::NetworkTask network;
  CLI::App &networkCommand = *app.add_subcommand("network", "one process of networks");
  addNetworkOptions(networkCommand, network);
  mpf::bench::ThreadBenchOptions threads;
  CLI::App &threadCommand =
      *app.add_subcommand("threads", "whole networks by the number of CPU threads");
  addThreadOptions(threadCommand, threads);
  mpf::bench::DrawNetworksOptions draw;
  CLI::App &drawCommand = *app.add_subcommand("draw-networks", "random networks as .uai files");
  addDrawOptions(drawCommand, draw);
  mpf::bench::DrawCasesOptions drawn;
  CLI::App &drawCasesCommand = *app.add_subcommand("draw-cases", "the rows of cases as CSV");
  mpf::bench::addDrawCasesOptions(drawCasesCommand, drawn);
  mpf::bench::PaperOptions paper;
  CLI::App &paperCommand =
      *app.add_subcommand("paper", "the tables and figures of a paper, on this machine");
  addPaperOptions(paperCommand, paper);
  CLI11_PARSE(app, argc, argv);
  buckets.command = "mpf-bench";
  for (int i = 1; i < argc; ++i)
    buckets.command += std::string(" ") + argv[i];
  cases.command = networks.command = paper.command = buckets.command;
  try {
    if (runCommand.parsed()) {
      if (runs.sessionRuns != 0)
        return mpf::bench::benchSessionRuns(runs) == 0 ? 0 : exitCode(mpf::ErrorKind::Verification);
      if (runs.onDevice)
        mpf::bench::benchDeviceRuns(runs);
      else
        mpf::bench::benchRuns(runs);
      return 0;
    }
    if (caseCommand.parsed()) {
      return mpf::bench::benchCases(cases) == 0 ? 0 : exitCode(mpf::ErrorKind::Verification);
    }
    if (networksCommand.parsed())
      return mpf::bench::benchNetworks(networks) == 0 ? 0 : exitCode(mpf::ErrorKind::Verification);
    if (networkCommand.parsed()) {
      mpf::bench::benchNetwork(network);
      return 0;
    }
    if (threadCommand.parsed())
      return mpf::bench::benchThreads(threads) == 0 ? 0 : exitCode(mpf::ErrorKind::Verification);
    if (paperCommand.parsed()) {
      mpf::bench::benchPaper(paper);
      return 0;
    }
    if (drawCasesCommand.parsed()) {
      std::fputs(mpf::bench::drawCases(drawn).c_str(), stdout);
      return 0;
    }
    if (drawCommand.parsed()) {
      mpf::bench::drawNetworks(draw);
      return 0;
    }
    return mpf::bench::benchBuckets(buckets) == 0 ? 0 : exitCode(mpf::ErrorKind::Verification);
  } catch (const mpf::Error &error) {
    std::fprintf(stderr, "mpf-bench: %s\n", error.what());
    return mpf::exitCode(error.kind());
  }
}
