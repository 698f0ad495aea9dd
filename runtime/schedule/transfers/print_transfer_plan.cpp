#include "runtime/schedule/transfers/print_transfer_plan.h"

#include "runtime/schedule/transfers/build_transfer_plan.h"

#include <fmt/format.h>
#include <vector>

namespace mpf {

namespace {

std::string groupText(const char *what, const char *place, uint32_t launch,
                      const std::vector<uint32_t> &buffers, const Bundle &bundle) {
  uint64_t bytes = 0;
  std::vector<std::string> names;
  for (const uint32_t buffer : buffers) {
    bytes += transferBytes(bundle, BufferId(size_t{buffer}));
    names.push_back(bundle.buffers[buffer].name);
  }
  return fmt::format("{} {}={} bytes={} {}\n", what, place, launch, bytes, fmt::join(names, ", "));
}

} // namespace

std::string printTransferPlan(const TransferPlan &transfers, const Bundle &bundle) {
  const size_t count = transfers.uploads.size() + transfers.downloads.size();
  if (count == 0)
    return "";
  std::string text = fmt::format("transfers {}\n", count);
  for (const UploadGroup &group : transfers.uploads)
    text += groupText("upload", "before", group.before, group.buffers, bundle);
  for (const DownloadGroup &group : transfers.downloads)
    text += groupText("download", "behind", group.behind, group.buffers, bundle);
  return text;
}

} // namespace mpf
