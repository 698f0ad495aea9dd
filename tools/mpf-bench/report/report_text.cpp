#include "tools/mpf-bench/report/report_text.h"

#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpf::bench {

namespace {

std::string number(const std::optional<double> &value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string jobLine(const BucketJob &job) {
  const BucketResult &result = job.result;
  const std::optional<double> judged = job.judgedUs();
  return fmt::format(
      "{:<22} {} {:<6} {:<11} {:<6} {:>9.2e} {:>10} {:>10} {:>10} {:>6} {:>9} {:>4} {:>5} {:>8} "
      "{}{}{}{}\n",
      job.shape.name, job.type == ElementType::F32 ? "f32" : "f64",
      job.valueForm == ValueForm::Log ? "log" : "linear", semiringName(job.semiring), job.family,
      job.operations(),
      number(job.plan ? std::optional(job.plan->header().floorUs) : std::nullopt, 1),
      number(job.plan ? std::optional(job.predictedUs()) : std::nullopt, 1),
      number(result.timeUs, 1), number(job.fraction(), 2),
      number(judged ? std::optional(job.operations() / *judged * 1e-3) : std::nullopt, 1),
      result.registers, result.spillBytes,
      result.error ? fmt::format("{:.1e}", *result.error) : "-", outcomeName(result.outcome),
      job.cut ? fmt::format(", {} splits", job.cut->splits) : "", result.note.empty() ? "" : ": ",
      result.note);
}

} // namespace

std::string jobTable(const std::vector<BucketJob> &jobs) {
  std::string text = fmt::format(
      "{:<22} {:<3} {:<6} {:<11} {:<6} {:>9} {:>10} {:>10} {:>10} {:>6} {:>9} {:>4} {:>5} {:>8} "
      "outcome\n",
      "bucket", "typ", "form", "semiring", "family", "ops", "floor_us", "model_us", "time_us",
      "frac", "Gops/s", "reg", "spill", "error");
  for (const BucketJob &job : jobs)
    text += jobLine(job);
  return text;
}

std::string summaryText(const std::vector<GroupSummary> &summaries) {
  std::string text;
  for (const GroupSummary &s : summaries) {
    text += fmt::format("\n{}: {} buckets, {} judged, {} wrong, {} skipped, {} failed\n", s.name,
                        s.jobs, s.judged, s.wrong, s.skipped, s.failed);
    if (s.judged == 0)
      continue;
    text +=
        fmt::format("  floor/time{}: geometric mean {:.3f}, least {:.3f}, under 0.5: {:.1f} %\n",
                    s.modelError ? "" : " (predicted)", s.meanFraction, s.leastFraction,
                    100 * s.shareUnderHalf);
    text += fmt::format("  floor set by bytes: {:.1f} %; kernels that spill: {:.1f} %; median of "
                        "|model/time - 1|: {}\n",
                        100 * s.shareByBytes, 100 * s.spillShare, number(s.modelError, 3));
    text += "  worst:";
    for (const BucketJob *job : s.worst)
      text += fmt::format(" {} {:.2f} ({})", job->shape.name, *job->fraction(), job->family);
    text += '\n';
  }
  return text;
}

std::string cublasText(const std::vector<BucketJob> &jobs) {
  std::string text;
  for (const BucketJob &job : jobs)
    if (job.result.cublasUs && job.result.timeUs)
      text += fmt::format("cublas {:<22} {} {:<6} {:>10.1f} us, mpf {:>10.1f} us, cublas / mpf "
                          "{:.2f}\n",
                          job.shape.name, job.type == ElementType::F32 ? "f32" : "f64", job.family,
                          *job.result.cublasUs, *job.result.timeUs,
                          *job.result.cublasUs / *job.result.timeUs);
  return text;
}

std::string chainText(const std::vector<BucketJob> &jobs, const Target &target) {
  struct Chain {
    unsigned steps = 0;
    double sumUs = 0, messageBytes = 0;
  };
  std::map<std::string, Chain> chains; // by group, in the order of their names
  for (const BucketJob &job : jobs) {
    if (job.shape.set != "canonical" || job.shape.name.rfind("chain-", 0) != 0 || !job.judgedUs())
      continue;
    Chain &chain = chains[job.groupName()];
    ++chain.steps;
    chain.sumUs += *job.judgedUs();
    chain.messageBytes = std::max(chain.messageBytes, job.compulsoryBytes());
  }
  std::string text;
  for (const auto &[group, chain] : chains)
    if (chain.steps == kChainSteps) {
      const double fusedUs = chain.messageBytes / target.copyBytesPerUs;
      text += fmt::format("{}: chain of {} steps, one pass each: {:.1f} us; floor of one pass for "
                          "all: {:.1f} us ({:.1f}x)\n",
                          group, chain.steps, chain.sumUs, fusedUs, chain.sumUs / fusedUs);
    }
  return text;
}

std::string fusedText(const std::vector<BucketJob> &jobs) {
  std::map<std::string, std::vector<double>> steps; // by group: times in step order
  for (const BucketJob &job : jobs)
    if (job.shape.set == "chain" && job.shape.name.starts_with("step-") && job.judgedUs())
      steps[job.groupName()].push_back(*job.judgedUs());
  std::string text;
  for (const BucketJob &job : jobs) {
    if (!job.shape.chain || !job.judgedUs())
      continue;
    const std::vector<double> &single = steps[job.groupName()];
    const size_t count = job.plan ? chainFormOf(job.shape, job.semiring).steps.size() : 0;
    double sumUs = 0;
    for (size_t i = 0; i < std::min(count, single.size()); ++i)
      sumUs += single[i];
    text += fmt::format("{} {}: {:.1f} us, {:.2f} TB/s of message and result", job.groupName(),
                        job.shape.name, *job.judgedUs(),
                        job.compulsoryBytes() / *job.judgedUs() * 1e-6);
    if (count > 0 && count <= single.size())
      text += fmt::format("; {} steps one by one {:.1f} us ({:.2f}x)", count, sumUs,
                          sumUs / *job.judgedUs());
    text += '\n';
  }
  return text;
}

} // namespace mpf::bench
