#include "runtime/simt/warp_log.h"

#include "runtime/simt/lane_words.h"
#include "runtime/simt/wavefronts.h"

namespace mpf::simt {

namespace {
constexpr unsigned kSectorBytes = 32;
} // namespace

void WarpLog::add(uint32_t site, unsigned lane, bool shared, uintptr_t address, uint32_t bytes) {
  if (site >= sites_.size())
    sites_.resize(site + 1);
  SiteLog &log = sites_[site];
  const uint32_t occurrence = log.counts[lane]++;
  if (occurrence >= log.requests.size())
    log.requests.resize(occurrence + 1);
  Request &request = log.requests[occurrence];
  if (occurrence >= log.used) {
    log.used = occurrence + 1;
    request.lanes = 0;
  }
  request.shared = shared;
  request.bytes = bytes;
  request.lanes |= 1u << lane;
  request.addresses[lane] = address;
}

void WarpLog::flush(Report &report) {
  for (uint32_t number = 0; number < sites_.size(); ++number) {
    SiteLog &log = sites_[number];
    if (log.used == 0)
      continue;
    for (size_t i = 0; i < log.used; ++i) {
      if (log.requests[i].shared)
        countShared(log.requests[i], report.sites[number]);
      else
        countGlobal(log.requests[i], report.sites[number]);
    }
    log.used = 0;
    log.counts.fill(0);
  }
}

void WarpLog::countShared(const Request &request, SiteReport &site) {
  const Wavefronts counted = wavefrontsOf(request.lanes, request.addresses, request.bytes);
  ++site.sharedRequests;
  site.waves += counted.taken;
  site.phases += counted.ideal;
}

void WarpLog::countGlobal(const Request &request, SiteReport &site) {
  ++site.globalRequests;
  constexpr unsigned kSectorWords = kSectorBytes / LaneWords::kWordBytes;
  const LaneWords words(request.lanes, request.addresses, request.bytes, 0, LaneWords::kLanes);
  uint64_t wanted = 0;
  words.eachQuotient(1, [&](uintptr_t) { ++wanted; });
  words.eachQuotient(kSectorWords, [&](uintptr_t) { ++site.sectors; });
  site.leastSectors += (wanted + kSectorWords - 1) / kSectorWords;
}

} // namespace mpf::simt
