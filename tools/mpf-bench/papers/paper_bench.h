// The measurements that experiments of papers share. Each is made at its first use, by the code of
// the other commands.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/model/model.h"
#include "runtime/schedule/schedule.h"
#include "tools/mpf-bench/lanes/case_sweep.h"
#include "tools/mpf-bench/measure/run_buckets.h"
#include "tools/mpf-bench/networks/campaign.h"
#include "tools/mpf-bench/networks/scratch_folder.h"
#include "tools/mpf-bench/papers/paper_options.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// A device that computes: a row of a table or a series of a figure.
struct PaperDevice {
  std::string name; ///< "CPU, 2 threads", "GPU"
  DeviceRequest devices;
  unsigned threads = 1;
};

/// One tree of tasks and its schedules (placement.h).
struct ScheduledTree {
  std::string name;
  size_t tasks = 0; ///< number of buckets: one for each variable that is not observed
  std::shared_ptr<const Bundle> bundle;
  struct Schedule {
    std::string name; ///< cpu, gpu, greedy, acceleration
    double predictedUs = 0;
    std::optional<double> measuredUs;
    std::vector<DeviceId> devices; ///< by operation
  };
  std::vector<Schedule> schedules;
};

class PaperBench {
public:
  explicit PaperBench(const PaperOptions &options);

  const PaperOptions &options() const { return options_; }
  bool hasGpu() const { return hasGpu_; }
  std::string machine() const;
  const std::vector<PaperDevice> &devices() const { return devices_; }

  /// Returns the options of random buckets of the Gems chapter in f64.
  BucketBenchOptions bucketOptions(const PaperDevice &device) const;
  const BucketRun &buckets(const PaperDevice &device, const std::string &family = "auto");
  const std::vector<CaseSweep> &sweeps();
  const std::vector<ScheduledTree> &trees();
  /// Returns runs of whole processes on every device. With a GPU, they run on each device of
  /// `onGpu` (NetworkDevice::name).
  const std::vector<TaskRuns> &networks(const std::string &drawnSet, const std::string &task,
                                        const std::vector<std::string> &onGpu = {"gpu"});

  /// The cost of all marginals of a model: operations, and time of a run.
  struct ModelTime {
    double operations = 0; ///< multiplications and additions
    double runUs = 0;
  };
  ModelTime timeMarginals(const Model &model, const PaperDevice &device) const;

private:
  std::vector<std::string> drawnPaths(const std::string &set);

  const PaperOptions options_;
  const bool hasGpu_;
  std::vector<PaperDevice> devices_;
  ScratchFolder scratch_;
  std::map<std::string, BucketRun> buckets_;
  std::map<std::string, std::vector<TaskRuns>> networks_;
  std::optional<std::vector<CaseSweep>> sweeps_;
  std::optional<std::vector<ScheduledTree>> trees_;
};

} // namespace mpf::bench
