// One measurement: a bucket, its arithmetic, the plan for it, and the result.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "tools/mpf-bench/shapes/bucket_shape.h"

#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

enum class Outcome {
  Predicted, ///< planned only: no device was asked for
  Right,     ///< verified, then timed
  Wrong,     ///< a recomputed entry differs, or one was never written; not timed
  Skipped,   ///< too large for the device, too slow for the limit, or the budget was spent
  Failed,    ///< planning, compiling or launching threw
};

std::string_view outcomeName(Outcome outcome); ///< "predicted", "right", ...

struct BucketResult {
  Outcome outcome = Outcome::Predicted;
  std::string note; ///< why it was skipped or failed; on the CPU the executor's path
  std::optional<double> timeUs;
  std::optional<double> cublasUs; ///< time of cuBLAS for the same matrix product (cublas.h)
  std::optional<double> error;    ///< worst relative error of the values of the entries recomputed
  uint32_t registers = 0;         ///< per thread, by the assembler; 0 where there is none
  uint32_t spillBytes = 0;        ///< per thread
};

/// One of the kernels that --autotune measured for a bucket.
struct BucketCandidate {
  std::string kernel, family;
  uint32_t blockThreads = 0, stages = 1; ///< threads and stages of its plan
  double predictedUs = 0;
  std::optional<double> timeUs;
};

/// A split sum (codegen/kernel/form/split_k_form.h): two kernels, one after the other.
struct CutSum {
  uint64_t splits = 2;
  KernelPlan partial; ///< the bucket's operands -> the splits
  KernelPlan adding;  ///< the splits -> the bucket's result

  double predictedUs() const { return partial.header().predictedUs + adding.header().predictedUs; }
};

struct BucketJob {
  BucketShape shape;
  Semiring semiring;
  ElementType type = ElementType::F64;
  ValueForm valueForm = ValueForm::Linear;
  std::string family;             ///< family of the plan, or "ics08"
  std::optional<KernelPlan> plan; ///< none: planning failed, result.note says why
  /// The two kernels that run instead of `plan`, the kernel of the whole sum, where they are
  /// predicted to be faster.
  std::optional<CutSum> cut;
  BucketResult result;
  std::optional<double> otherUs;           ///< time of the bucket in another report (against.h)
  std::vector<KernelPlan> nextBest;        ///< --autotune: next best by the model (tune_buckets.h)
  std::vector<BucketCandidate> candidates; ///< measured candidates, the model's choice first
  std::optional<double> modelChoiceUs;     ///< time of the model's choice in the second round

  double operations() const { return operationsOf(shape); }
  double predictedUs() const;     ///< predicted time of the kernels that run; needs a plan
  double compulsoryBytes() const; ///< each operand read once, the result written once
  /// The time that reports use: the measured one, else the predicted one; none without both.
  std::optional<double> judgedUs() const;
  /// floor / judged time.
  std::optional<double> fraction() const;
  std::optional<double> gain() const; ///< other time / judged time
  std::string groupName() const;      ///< "ics08 f32 linear sum-product": the group of its summary
};

inline void setFailed(BucketJob &job, const std::exception &problem) {
  job.result.outcome = Outcome::Failed;
  job.result.note = problem.what();
}

/// Return the printed plans, and the CUDA text, of the kernels that run for a job. The job must
/// have a plan.
std::string planText(const BucketJob &job);
std::string sourceText(const BucketJob &job);

/// Returns the accepted relative error of a result against the sum in long double. It grows with
/// the number of terms, because of rounding, and is larger for logarithms, which are converted.
double tolerance(const BucketJob &job);

} // namespace mpf::bench
