// Groups the accesses of a warp's lanes into requests: the n-th accesses of all lanes at a site
// between two synchronisations are one request. This is exact unless lanes diverge in between.
#pragma once

#include "runtime/simt/report.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mpf::simt {

class WarpLog {
public:
  /// Takes some 300 bytes for each access of a lane until the next flush.
  void add(uint32_t site, unsigned lane, bool shared, uintptr_t address, uint32_t bytes);
  /// Adds the wavefronts and sectors of all logged requests to `report` and clears the log.
  void flush(Report &report);

private:
  struct Request {
    bool shared = false;
    uint32_t bytes = 0;
    uint32_t lanes = 0; ///< mask
    std::array<uintptr_t, 32> addresses;
  };
  struct SiteLog {
    std::array<uint32_t, 32> counts{};
    std::vector<Request> requests;
    size_t used = 0;
  };
  static void countShared(const Request &request, SiteReport &site);
  static void countGlobal(const Request &request, SiteReport &site);

  std::vector<SiteLog> sites_; ///< by site number
};

} // namespace mpf::simt
