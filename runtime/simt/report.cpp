#include "runtime/simt/report.h"

#include <fmt/core.h>

namespace mpf::simt {

double SiteReport::conflictRatio() const {
  return phases == 0 ? 1.0 : static_cast<double>(waves) / static_cast<double>(phases);
}

double SiteReport::sectorRatio() const {
  return leastSectors == 0 ? 1.0 : static_cast<double>(sectors) / static_cast<double>(leastSectors);
}

std::string SiteReport::text() const {
  std::string text;
  if (sharedRequests > 0)
    text = fmt::format("{} requests, {} wavefronts (ideal {})", sharedRequests, waves, phases);
  if (globalRequests > 0)
    text += fmt::format("{}{} requests, {} sectors (ideal {})", text.empty() ? "" : "; ",
                        globalRequests, sectors, leastSectors);
  return text;
}

const char *faultName(FaultKind kind) {
  switch (kind) {
  case FaultKind::SharedOutOfBounds:
    return "shared access out of bounds";
  case FaultKind::GlobalOutOfBounds:
    return "global access out of bounds";
  case FaultKind::StoreToOperand:
    return "store into an operand";
  case FaultKind::Misaligned:
    return "misaligned access";
  case FaultKind::SharedRace:
    return "race in shared memory";
  case FaultKind::GlobalRace:
    return "race in global memory";
  case FaultKind::UninitialisedRead:
    return "uninitialised shared read";
  case FaultKind::DivergentBarrier:
    return "divergent barrier";
  case FaultKind::EarlyLoad:
    return "load before the begin";
  case FaultKind::EarlyStore:
    return "store before the wait";
  case FaultKind::EndlessWait:
    return "endless wait";
  case FaultKind::EndlessLoop:
    return "endless loop";
  case FaultKind::EarlyEnd:
    return "end before the wait";
  case FaultKind::DivergentWarp:
    break;
  }
  return "divergent warp operation";
}

Fault *Report::addFirst(FaultKind kind, uint32_t site) {
  for (Fault &fault : faults)
    if (fault.kind == kind && fault.site == site) {
      ++fault.count;
      return nullptr;
    }
  return &faults.emplace_back(Fault{kind, site});
}

bool Report::has(FaultKind kind) const {
  for (const Fault &fault : faults)
    if (fault.kind == kind)
      return true;
  return false;
}

std::string Report::faultText() const {
  std::string text;
  for (const Fault &fault : faults)
    text += fmt::format("{} at site {} ({} times): {}\n", faultName(fault.kind), fault.site,
                        fault.count, fault.text);
  return text;
}

} // namespace mpf::simt
