#include "tools/mpfc/explain/facts/explanation.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

const EngineFacts &CaseFacts::chosen() const {
  const auto at = std::ranges::find(engines, true, &EngineFacts::chosen);
  MPF_CHECK(at != engines.end(), "none of {} engines is chosen", engines.size());
  return *at;
}

double QueryExplanation::runUs() const {
  double sum = 0;
  for (const BucketFacts &bucket : buckets)
    sum += bucket.costUs;
  return sum;
}

double QueryExplanation::againUs() const {
  double sum = 0;
  for (const PhaseTime &phase : phases)
    if (!phase.once && phase.device == autoDevice)
      sum += phase.timeUs;
  return sum;
}

double QueryExplanation::firstTimeUs() const {
  double sum = againUs();
  for (const PhaseTime &phase : phases)
    if (phase.once &&
        (phase.device == autoDevice || usesBothDevices() || phase.phase == kPlanningPhase))
      sum += phase.timeUs;
  return sum;
}

bool QueryExplanation::usesBothDevices() const { return autoDevice == kBothDevices; }

size_t QueryExplanation::sharedBuckets() const {
  size_t count = 0;
  for (const BucketFacts &bucket : buckets)
    count += bucket.runs == 0;
  return count;
}

PhaseTime *runningPhase(QueryExplanation &explanation, std::string_view device) {
  const auto at = std::ranges::find_if(explanation.phases, [device](const PhaseTime &phase) {
    return phase.device == device && phase.phase == "running";
  });
  return at == explanation.phases.end() ? nullptr : &*at;
}

std::string_view speedOriginName(SpeedOrigin origin) {
  return origin == SpeedOrigin::Calibrated ? "measured"
         : origin == SpeedOrigin::Looked   ? "looked"
                                           : "shipped";
}

std::string_view warningName(WarningKind kind) {
  switch (kind) {
  case WarningKind::Refused:
    return "refused";
  case WarningKind::Memory:
    return "memory";
  case WarningKind::Width:
    return "width";
  case WarningKind::Range:
    return "range";
  case WarningKind::Spill:
    return "spill";
  case WarningKind::Planner:
    return "planner";
  }
  MPF_UNREACHABLE("warning kind {}", static_cast<int>(kind));
}

} // namespace mpf
