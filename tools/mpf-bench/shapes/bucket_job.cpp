#include "tools/mpf-bench/shapes/bucket_job.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/print_kernel.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::bench {

std::string_view outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Predicted:
    return "predicted";
  case Outcome::Right:
    return "right";
  case Outcome::Wrong:
    return "WRONG";
  case Outcome::Skipped:
    return "skipped";
  case Outcome::Failed:
    return "FAILED";
  }
  return "";
}

double BucketJob::predictedUs() const {
  return cut ? cut->predictedUs() : plan->header().predictedUs;
}

double BucketJob::compulsoryBytes() const {
  return static_cast<double>(tableElemsOf(shape)) * elementBytes(type);
}

std::optional<double> BucketJob::judgedUs() const {
  if (result.timeUs)
    return result.timeUs;
  if (plan && result.outcome == Outcome::Predicted)
    return predictedUs();
  return std::nullopt;
}

std::optional<double> BucketJob::fraction() const {
  const std::optional<double> time = judgedUs();
  if (!time || !plan)
    return std::nullopt;
  return plan->header().floorUs / *time;
}

std::optional<double> BucketJob::gain() const {
  const std::optional<double> time = judgedUs();
  return time && otherUs ? std::optional(*otherUs / *time) : std::nullopt;
}

std::string BucketJob::groupName() const {
  return fmt::format("{} {} {} {}", shape.set, type == ElementType::F32 ? "f32" : "f64",
                     valueForm == ValueForm::Log ? "log" : "linear", semiringName(semiring));
}

std::string planText(const BucketJob &job) {
  if (job.cut)
    return printKernel(job.cut->partial) + printKernel(job.cut->adding);
  return printKernel(*job.plan);
}

std::string sourceText(const BucketJob &job) {
  if (job.cut) {
    const KernelPlan plans[] = {job.cut->partial, job.cut->adding};
    return cudaPreamble(plans) + '\n' + emitCuda(plans[0]).text + '\n' + emitCuda(plans[1]).text;
  }
  return cudaSource(*job.plan);
}

namespace {
/// Tolerance of f64 logarithms, whose conversions are less precise than exact ones.
constexpr double kConversions64 = 1e-12;
} // namespace

double tolerance(const BucketJob &job) {
  const double epsilon = job.type == ElementType::F32 ? 0x1p-24 : 0x1p-53;
  const uint64_t terms = job.plan ? job.plan->operation().reducedAddresses() : 1;
  const double rounding = epsilon * (32 + static_cast<double>(terms));
  const bool converted = job.valueForm == ValueForm::Log && job.type == ElementType::F64;
  return converted ? std::max(rounding, kConversions64) : rounding;
}

} // namespace mpf::bench
