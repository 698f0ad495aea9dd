#include "tools/mpf-bench/report/report_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Returns a number, or null for an infinite error: JSON has no infinities. Its outcome is WRONG.
Json optionalNumber(const std::optional<double> &value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json jobJson(const BucketJob &job) {
  Json out{{"set", job.shape.set},
           {"name", job.shape.name},
           {"type", job.type == ElementType::F32 ? "f32" : "f64"},
           {"form", job.valueForm == ValueForm::Log ? "log" : "linear"},
           {"semiring", std::string(semiringName(job.semiring))},
           {"functions", job.shape.operands.size()},
           {"operations", job.operations()},
           {"compulsory_bytes", job.compulsoryBytes()}};
  if (job.plan) {
    out["digits"] = job.plan->operation().digits.size();
    out["family"] = job.family;
    out["kernel"] = job.plan->header().name;
    out["floor_us"] = job.plan->header().floorUs;
    out["predicted_us"] = job.predictedUs();
    for (const CostTerm &term : (job.cut ? job.cut->partial : *job.plan).header().costTerms)
      out["model_us"][term.name] = term.timeUs;
  }
  if (job.cut)
    out["cut"] = {{"splits", job.cut->splits},
                  {"partial_kernel", job.cut->partial.header().name},
                  {"adding_kernel", job.cut->adding.header().name},
                  {"adding_us", job.cut->adding.header().predictedUs},
                  {"whole_us", job.plan->header().predictedUs}};
  out["time_us"] = optionalNumber(job.result.timeUs);
  out["fraction"] = optionalNumber(job.fraction());
  if (job.result.cublasUs)
    out["cublas_us"] = *job.result.cublasUs;
  if (job.otherUs)
    out["other_us"] = *job.otherUs;
  if (!job.candidates.empty()) {
    out["model_choice_us"] = optionalNumber(job.modelChoiceUs);
    out["candidates"] = Json::array();
    for (const BucketCandidate &candidate : job.candidates)
      out["candidates"].push_back({{"kernel", candidate.kernel},
                                   {"family", candidate.family},
                                   {"block_threads", candidate.blockThreads},
                                   {"stages", candidate.stages},
                                   {"predicted_us", candidate.predictedUs},
                                   {"time_us", optionalNumber(candidate.timeUs)}});
  }
  out["worst_relative_error"] = optionalNumber(job.result.error);
  out["registers"] = job.result.registers;
  out["spill_bytes"] = job.result.spillBytes;
  out["outcome"] = std::string(outcomeName(job.result.outcome));
  if (!job.result.note.empty())
    out["note"] = job.result.note;
  return out;
}

Json summaryJson(const GroupSummary &summary) {
  Json out{{"group", summary.name},
           {"buckets", summary.jobs},
           {"judged", summary.judged},
           {"wrong", summary.wrong},
           {"skipped", summary.skipped},
           {"failed", summary.failed},
           {"geometric_mean_fraction", summary.meanFraction},
           {"least_fraction", summary.leastFraction},
           {"share_under_half", summary.shareUnderHalf},
           {"share_floor_by_bytes", summary.shareByBytes},
           {"share_spilling", summary.spillShare},
           {"median_model_error", optionalNumber(summary.modelError)}};
  out["worst"] = Json::array();
  for (const BucketJob *job : summary.worst)
    out["worst"].push_back({{"name", job->shape.name}, {"fraction", *job->fraction()}});
  return out;
}

/// Digits of a table by falling stride: dense tables are row-major over them.
Json scopeJson(const DigitAccess &access) {
  std::vector<size_t> digits;
  for (size_t d = 0; d < access.stridesElems.size(); ++d)
    if (access.stridesElems[d] != 0)
      digits.push_back(d);
  std::sort(digits.begin(), digits.end(),
            [&](size_t a, size_t b) { return access.stridesElems[a] > access.stridesElems[b]; });
  return Json(digits);
}

} // namespace

std::string reportJson(const ReportHead &head, const std::vector<BucketJob> &jobs,
                       const std::vector<GroupSummary> &summaries) {
  Json out{{"device", head.device}, {"command", head.command}};
  out["summaries"] = Json::array();
  for (const GroupSummary &summary : summaries)
    out["summaries"].push_back(summaryJson(summary));
  out["buckets"] = Json::array();
  for (const BucketJob &job : jobs)
    out["buckets"].push_back(jobJson(job));
  return out.dump(1) + "\n";
}

std::string shapesJson(const std::vector<BucketShape> &shapes) {
  Json out{{"buckets", Json::array()}};
  for (const BucketShape &shape : shapes) {
    const DigitForm form = digitFormOf(laidOut(shape, 1).front(), {});
    Json bucket{{"set", shape.set}, {"name", shape.name}, {"operations", operationsOf(shape)}};
    bucket["extents"] = Json::array();
    for (const Digit &digit : form.digits)
      bucket["extents"].push_back(digit.extent);
    bucket["operands"] = Json::array();
    for (const DigitAccess &operand : form.operands)
      bucket["operands"].push_back(scopeJson(operand));
    bucket["result"] = scopeJson(form.result);
    out["buckets"].push_back(std::move(bucket));
  }
  return out.dump() + "\n";
}

} // namespace mpf::bench
