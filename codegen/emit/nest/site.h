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

/// An array in a block's dynamic shared memory.
struct SharedArray {
  std::string name; ///< as sites name it: "segment f"
  uint64_t offsetBytes = 0, sizeBytes = 0;
};

/// The objects beside the result that the sites of a kernel name.
struct SiteObjects {
  /// The names of the operands, in the order of the arguments: "g" for sites of "operand g".
  std::vector<std::string> operands;
  std::vector<SharedArray> shared;
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
