// The measurement that needs no GPU: registers and spills of every bucket's kernel.
#include "dsl/support/check.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tools/mpf-bench/measure/compile_buckets.h"

#include <algorithm>

namespace mpf::bench {

namespace {

class CompiledBuckets final : public BucketDevice {
public:
  CompiledBuckets(const std::string &target, const MeasureOptions &options)
      : target_(targetNamed(target)), compiler_(target, options) {
    if (!NvrtcCompiler::available())
      fail(ErrorKind::Device, "NVRTC cannot be opened");
  }
  std::string name() const override {
    return fmt::format("predictions for {}, kernels compiled", target_.name);
  }
  Target target() const override { return target_; }

  void measure(std::vector<BucketJob> &jobs, const TimeBudget &budget) override {
    for (size_t first = 0; first < jobs.size(); first += compiler_.atOnce()) {
      showProgress(first, jobs.size(), "compiled");
      std::vector<BucketJob *> together;
      for (size_t i = first; i < std::min(jobs.size(), first + compiler_.atOnce()); ++i) {
        if (budget.spent() && jobs[i].result.outcome == Outcome::Predicted) {
          jobs[i].result.outcome = Outcome::Skipped;
          jobs[i].result.note = "the time budget was spent";
        }
        together.push_back(&jobs[i]);
      }
      compiler_.compile(together);
    }
  }

private:
  Target target_;
  BucketCompiler compiler_;
};

} // namespace

std::unique_ptr<BucketDevice> openBucketCompiler(const std::string &target,
                                                 const MeasureOptions &options) {
  return std::make_unique<CompiledBuckets>(target, options);
}

} // namespace mpf::bench
