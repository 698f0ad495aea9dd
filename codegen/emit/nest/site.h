// ACCESS SITES: every shared or global access in an emitted kernel has a number. This table maps
// the number to what the access is in the plan. The SIMT checker reports per site (runtime/simt).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

enum class SiteKind { GlobalLoad, GlobalStore, SharedLoad, SharedStore };

struct Site {
  uint32_t number = 0;
  SiteKind kind = SiteKind::GlobalLoad;
  std::string object; ///< "segment f", "operand g", "result"
  /// The plan promises (Segment::conflictFree and its like) that no bank conflict occurs here.
  bool conflictFree = false;
};

/// Smaller numbers belong to the device preamble.
inline constexpr uint32_t kFirstKernelSite = 3;

class SiteTable {
public:
  uint32_t add(SiteKind kind, std::string object, bool conflictFree = false) {
    const auto number = static_cast<uint32_t>(kFirstKernelSite + sites_.size());
    sites_.push_back({number, kind, std::move(object), conflictFree});
    return number;
  }
  const std::vector<Site> &sites() const { return sites_; }

private:
  std::vector<Site> sites_;
};

} // namespace mpf
