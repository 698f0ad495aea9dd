#include "runtime/schedule/transfers/verify_transfer_plan.h"

#include "runtime/schedule/launches/launch_use.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace mpf {

namespace {

class TransferChecks {
public:
  TransferChecks(const LaunchPlan &plan, const Bundle &bundle, const std::vector<uint32_t> &wanted)
      : plan_(plan), bundle_(bundle), wanted_(wanted.begin(), wanted.end()) {
    for (const Launch &launch : plan.launches)
      uses_.push_back(useOf(bundle, plan, launch));
  }

  std::string faultOf(const UploadGroup &group) {
    if (std::string fault = groupFault(group.before, group.buffers); !fault.empty())
      return fault;
    for (const uint32_t buffer : group.buffers) {
      if (!bundle_.buffers[buffer].input)
        return fmt::format("buffer {} is no input", buffer);
      for (uint32_t i = 0; i < group.before; ++i)
        if (reads(i, buffer))
          return fmt::format("launch {} reads input {}, for which launch {} waits", i, buffer,
                             group.before);
    }
    return "";
  }

  std::string faultOf(const DownloadGroup &group) {
    if (std::string fault = groupFault(group.behind, group.buffers); !fault.empty())
      return fault;
    for (const uint32_t buffer : group.buffers) {
      if (!wanted_.contains(buffer))
        return fmt::format("buffer {} is not wanted", buffer);
      bool isWritten = false;
      for (uint32_t i = 0; i < plan_.launches.size(); ++i) {
        if (!writes(i, buffer))
          continue;
        if (i > group.behind)
          return fmt::format("launch {} writes memory of result {}, which comes down behind "
                             "launch {}",
                             i, buffer, group.behind);
        isWritten = isWritten || computes(i, buffer);
      }
      if (!isWritten)
        return fmt::format("no launch up to {} writes result {}", group.behind, buffer);
    }
    return "";
  }

  /// Starts the groups of the other kind.
  void startAgain() { nextLaunch_ = 0; }

private:
  std::string groupFault(uint32_t launch, const std::vector<uint32_t> &buffers) {
    if (launch >= plan_.launches.size())
      return fmt::format("there is no launch {}", launch);
    if (launch < nextLaunch_)
      return fmt::format("launch {} has a group already, or a later one has", launch);
    nextLaunch_ = launch + 1;
    if (buffers.empty())
      return fmt::format("the group of launch {} is empty", launch);
    for (const uint32_t buffer : buffers) {
      if (buffer >= bundle_.buffers.size())
        return fmt::format("there is no buffer {}", buffer);
      if (!copied_.insert(buffer).second)
        return fmt::format("buffer {} is copied already", buffer);
    }
    return std::ranges::is_sorted(buffers)
               ? ""
               : fmt::format("the group of launch {} is not in order", launch);
  }

  bool reads(uint32_t launch, uint32_t buffer) const {
    for (const uint32_t operation : operationsOf(plan_, plan_.launches[launch]))
      for (const BundleAccess &access : bundle_.operations[operation].operands)
        if (access.buffer.value == buffer)
          return true;
    return false;
  }

  bool writes(uint32_t launch, uint32_t buffer) const {
    const BundleBuffer &place = bundle_.buffers[buffer];
    const uint64_t end =
        place.offsetBytes + bufferBytes(place.sizeElems, bundle_.type, bundle_.signedValues);
    return std::ranges::any_of(uses_[launch].writes, [&](const ByteRange &range) {
      return !place.input && range.begin < end && place.offsetBytes < range.end;
    });
  }

  /// Whether a launch writes the result itself, not only memory of it.
  bool computes(uint32_t launch, uint32_t buffer) const {
    const Launch &of = plan_.launches[launch];
    const std::vector<uint32_t> operations = operationsOf(plan_, of);
    // A chain stores only its last result.
    const auto first = of.kind == LaunchKind::Chain ? operations.end() - 1 : operations.begin();
    return std::any_of(first, operations.end(), [&](uint32_t operation) {
      return bundle_.operations[operation].result.buffer.value == buffer;
    });
  }

  const LaunchPlan &plan_;
  const Bundle &bundle_;
  const std::set<uint32_t> wanted_;
  std::vector<LaunchUse> uses_;
  std::set<uint32_t> copied_;
  uint32_t nextLaunch_ = 0;
};

} // namespace

std::string findFault(const TransferPlan &transfers, const LaunchPlan &plan, const Bundle &bundle,
                      const std::vector<uint32_t> &wanted) {
  if (transfers == TransferPlan())
    return "";
  TransferChecks checks(plan, bundle, wanted);
  for (const UploadGroup &group : transfers.uploads)
    if (const std::string fault = checks.faultOf(group); !fault.empty())
      return "uploads: " + fault;
  checks.startAgain();
  for (const DownloadGroup &group : transfers.downloads)
    if (const std::string fault = checks.faultOf(group); !fault.empty())
      return "downloads: " + fault;
  return "";
}

} // namespace mpf
