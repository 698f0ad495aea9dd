#include "tools/mpf-bench/networks/campaign.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/uai/uai_writer.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "runtime/compile/child_process.h"
#include "runtime/machine/stored_speed.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/networks/scratch_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace mpf::bench {

namespace {

namespace fs = std::filesystem;

/// Writes the network in a format that every other program reads.
void writeForPeers(const NetworkInstance &instance, const SolverFiles &files) {
  Diagnostics diagnostics;
  std::optional<Model> model = readModelFile(loadText(instance.model), diagnostics);
  if (model && !instance.evidence.empty() &&
      !readEvidence(loadText(instance.evidence), *model, diagnostics))
    model.reset();
  if (!model)
    fail(ErrorKind::BadInput, "{}", messageOf(diagnostics));
  writeFile(files.uai, writeUai(*model));
  writeFile(files.uaiEvidence, writeEvidence(*model));
}

std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Variables that select libraries and compilers. A child process gets them in addition to the
/// environment of ChildProgram.
constexpr const char *kPassedOn[] = {"MPF_LIBCUDA", "MPF_NVRTC", "LD_LIBRARY_PATH", "CXX",
                                     "CUDA_VISIBLE_DEVICES"};

struct Process {
  NetworkRun run;
  double seconds = 0;
};

/// Runs a process and reads its result. `resultName`: a file in the folder of the process
/// (ChildProgram).
Process runProcess(std::vector<std::string> command, const std::string &cache, double seconds,
                   const std::string &resultName) {
  ChildProgram program;
  program.argv = {"/usr/bin/env", "MPF_CACHE_DIR=" + cache};
  for (const char *name : kPassedOn)
    if (const char *value = std::getenv(name))
      program.argv.push_back(std::string(name) + "=" + value);
  program.argv.insert(program.argv.end(), command.begin(), command.end());
  program.timeout = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1e3));
  program.resultName = resultName;
  const double before = clockSeconds(false);
  const ChildResult child = runChild(program);
  Process process;
  process.seconds = clockSeconds(false) - before;
  if (child.result)
    process.run = parseRun(*child.result);
  process.seconds -= process.run.seconds.repeating;
  if (child.timedOut && process.run.status != RunStatus::Solved) {
    process.run.status = RunStatus::TimedOut;
    process.run.why = "took longer than its limit";
  } else if (child.exitCode != 0 && !child.timedOut) {
    process.run = NetworkRun();
    process.run.why = lastLine(child.output);
    if (process.run.why.empty())
      process.run.why = "exit status " + std::to_string(child.exitCode);
  }
  return process;
}

/// Returns this machine's speed: calibrated, or by a quick look.
MachineSpeed lookedSpeed() {
  lookOnce();
  return storedSpeed();
}

class Campaign {
public:
  explicit Campaign(const NetworkBenchOptions &options)
      : options_(options), solvers_(networkSolvers(options)) {
    files_.self = fs::read_symlink("/proc/self/exe").string();
    files_.script = options.peerScript;
    files_.uai = scratch_.file("network.uai");
    files_.uaiEvidence = scratch_.file("network.evid");
    files_.result = std::string(kChildFolder) + "/" + kResultName;
  }

  std::vector<TaskRuns> run(const std::function<void(const TaskRuns &)> &done) {
    std::vector<TaskRuns> all;
    for (const NetworkInstance &instance : chosenInstances()) {
      if (!options_.peers.empty())
        writeForPeers(instance, files_);
      for (const std::string &task : options_.tasks) {
        all.push_back({instance.name, task, {}});
        for (const NetworkSolver &solver : solvers_)
          if (std::ranges::find(solver.tasks, task) != solver.tasks.end())
            all.back().runs.push_back(runSolver(solver, instance, task));
        compareAnswers(all.back());
        done(all.back());
      }
    }
    return all;
  }

private:
  static constexpr const char *kResultName = "run.json";

  std::vector<NetworkInstance> chosenInstances() const {
    std::vector<NetworkInstance> instances = findInstances(options_.paths);
    std::erase_if(instances, [this](const NetworkInstance &instance) {
      return !options_.names.empty() &&
             std::ranges::none_of(options_.names, [&](const std::string &part) {
               return instance.name.find(part) != std::string::npos;
             });
    });
    if (instances.empty())
      fail(ErrorKind::Usage, "no network of such a name is there");
    return instances;
  }

  SolverRun runSolver(const NetworkSolver &solver, const NetworkInstance &instance,
                      const std::string &task) {
    const std::vector<std::string> command =
        solverCommand(solver, instance, task, files_, options_);
    const std::string cache = scratch_.file("cache" + std::to_string(caches_++));
    storeSpeed(speed_, DiskCache(cache));
    SolverRun result;
    result.solver = solver.name;
    Process process = runProcess(command, cache, options_.seconds, kResultName);
    if (solver.keepsKernels && !options_.skipCold && process.run.status == RunStatus::Solved) {
      result.coldTotalSeconds = process.seconds;
      result.coldOpeningSeconds = process.run.seconds.opening;
      process = runProcess(command, cache, options_.seconds, kResultName);
    }
    std::error_code ignored;
    fs::remove_all(cache, ignored);
    result.run = std::move(process.run);
    result.totalSeconds = process.seconds;
    return result;
  }

  const NetworkBenchOptions &options_;
  const std::vector<NetworkSolver> solvers_;
  const ScratchFolder scratch_;
  const MachineSpeed speed_ = lookedSpeed(); ///< for predictions and plans
  SolverFiles files_;
  unsigned caches_ = 0;
};

} // namespace

std::vector<TaskRuns> runCampaign(const NetworkBenchOptions &options,
                                  const std::function<void(const TaskRuns &)> &done) {
  return Campaign(options).run(done);
}

} // namespace mpf::bench
