// Access sites: every shared or global access of an emitted kernel carries a number, and this
// table says what it is in the plan. The SIMT checker reports per site (runtime/simt).
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
  /// The plan chose the strides for it: no bank conflict may be seen at this site.
  bool conflictFree = false;
};

/// Numbers below belong to the device preamble.
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
