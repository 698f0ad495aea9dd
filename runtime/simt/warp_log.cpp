#include "runtime/simt/warp_log.h"

#include "runtime/simt/wavefronts.h"

#include <algorithm>

namespace mpf::simt {

namespace {
constexpr unsigned kSectorBytes = 32;

size_t countDistinct(std::vector<uintptr_t> &values) {
  std::sort(values.begin(), values.end());
  return static_cast<size_t>(std::unique(values.begin(), values.end()) - values.begin());
}
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
  std::vector<uintptr_t> sectors, words;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (uint32_t byte = 0; (request.lanes >> lane & 1) != 0 && byte < request.bytes; byte += 4) {
      sectors.push_back((request.addresses[lane] + byte) / kSectorBytes);
      words.push_back((request.addresses[lane] + byte) / 4);
    }
  site.sectors += countDistinct(sectors);
  site.leastSectors += (countDistinct(words) * 4 + kSectorBytes - 1) / kSectorBytes;
}

} // namespace mpf::simt
