#include "dsl/support/system/control_groups.h"

#include "dsl/support/number_text.h"
#include "dsl/support/system/system_text.h"

#include <algorithm>

namespace mpf {

namespace {

/// Reads a file that holds one number, or "max" for none.
std::optional<uint64_t> numberIn(const std::string &path) {
  const std::string text = systemText(path);
  return parseUnsigned(std::string_view(text).substr(0, text.find('\n')));
}

/// Returns the number in the line "KEY NUMBER" of a text that begins with '\n'; 0 if there is no
/// such line.
uint64_t numberOf(const std::string &text, const std::string &key) {
  const std::string start = "\n" + key + " ";
  const size_t at = text.find(start);
  if (at == std::string::npos)
    return 0;
  const size_t from = at + start.size();
  return parseUnsigned(std::string_view(text).substr(from, text.find('\n', from) - from))
      .value_or(0);
}

/// Names of the files in one version of control groups.
struct GroupFiles {
  const char *limit, *throttle, *used, *filePrefix;
  const char *swapLimit, *swapUsed;
  bool swapHasMemory; ///< both count memory and swap together
};
constexpr GroupFiles kVersion2 = {
    "/memory.max",          "/memory.high", "/memory.current", "", "/memory.swap.max",
    "/memory.swap.current", false};
constexpr GroupFiles kVersion1 = {"/memory.limit_in_bytes",
                                  nullptr,
                                  "/memory.usage_in_bytes",
                                  "total_",
                                  "/memory.memsw.limit_in_bytes",
                                  "/memory.memsw.usage_in_bytes",
                                  true};

/// Returns the lower of the limit and the throttle. Above the throttle the kernel does not kill,
/// but slows the group down to a standstill.
std::optional<uint64_t> limitOf(const std::string &folder, const GroupFiles &files) {
  const auto limit = numberIn(folder + files.limit);
  const auto throttle = files.throttle ? numberIn(folder + files.throttle) : std::nullopt;
  return limit && throttle ? std::min(limit, throttle) : limit ? limit : throttle;
}

std::optional<uint64_t> swapLeftOf(const std::string &folder, const GroupFiles &files) {
  constexpr uint64_t kUnlimited = uint64_t{1} << 62; // version 1 has a number for no limit
  const auto limit = numberIn(folder + files.swapLimit);
  if (!limit || *limit >= kUnlimited)
    return std::nullopt;
  const uint64_t used = numberIn(folder + files.swapUsed).value_or(0);
  const uint64_t left = *limit - std::min(*limit, used);
  const auto memory = numberIn(folder + files.limit);
  if (!files.swapHasMemory || !memory)
    return left;
  const uint64_t inUse = numberIn(folder + files.used).value_or(0);
  return left - std::min(left, *memory - std::min(*memory, inUse));
}

std::optional<uint64_t> leftOf(const std::string &folder, const GroupFiles &files) {
  const auto limit = limitOf(folder, files);
  if (!limit)
    return std::nullopt;
  const std::string statistics = "\n" + systemText(folder + "/memory.stat"),
                    prefix = files.filePrefix;
  const uint64_t used = numberIn(folder + files.used).value_or(0);
  const uint64_t pages =
      numberOf(statistics, prefix + "inactive_file") + numberOf(statistics, prefix + "active_file");
  return *limit - std::min(*limit, used - std::min(used, pages));
}

/// Returns the path in the line "ID:CONTROLLERS:PATH" of the controllers; "" if there is none or it
/// is the root.
std::string pathOf(std::string_view membership, std::string_view controllers) {
  while (!membership.empty()) {
    const std::string_view line = membership.substr(0, membership.find('\n'));
    membership.remove_prefix(std::min(membership.size(), line.size() + 1));
    const size_t first = line.find(':');
    const size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos || line.substr(first + 1, second - first - 1) != controllers)
      continue;
    const std::string_view path = line.substr(second + 1);
    return path == "/" ? std::string() : std::string(path);
  }
  return {};
}

/// Lowers `least` to the result of `find` for the group `path` below `top` and for those around it.
template <class Number, class Find>
void lowerAround(const std::string &top, std::string path, const Find &find,
                 std::optional<Number> &least) {
  while (true) {
    const std::optional<Number> found = find(top + path);
    if (found && (!least || *found < *least))
      least = found;
    if (path.empty())
      break;
    path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
  }
}

/// Returns the least result of `leftIn` for the groups of the process and those around them.
template <class LeftIn>
std::optional<uint64_t> leastOf(std::string_view membership, const std::string &root,
                                const LeftIn &leftIn) {
  std::optional<uint64_t> least;
  const auto in = [&leftIn](const GroupFiles &files) {
    return [&leftIn, &files](const std::string &folder) { return leftIn(folder, files); };
  };
  lowerAround(root, pathOf(membership, ""), in(kVersion2), least);
  lowerAround(root + "/memory", pathOf(membership, "memory"), in(kVersion1), least);
  return least;
}

std::optional<double> coresOf(std::optional<uint64_t> quota, std::optional<uint64_t> period) {
  if (!quota || !period || *period == 0)
    return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// Reads the limit of version 2: "QUOTA PERIOD" in microseconds, or "max PERIOD".
std::optional<double> coresInMax(const std::string &folder) {
  const std::string text = systemText(folder + "/cpu.max");
  const size_t space = text.find(' ');
  if (space == std::string::npos)
    return std::nullopt;
  const std::string_view period = std::string_view(text).substr(space + 1);
  return coresOf(parseUnsigned(std::string_view(text).substr(0, space)),
                 parseUnsigned(period.substr(0, period.find('\n'))));
}

/// Reads the limit of version 1, with a file each; without a limit the quota is -1, which is no
/// unsigned number.
std::optional<double> coresInQuota(const std::string &folder) {
  return coresOf(numberIn(folder + "/cpu.cfs_quota_us"), numberIn(folder + "/cpu.cfs_period_us"));
}

} // namespace

std::optional<uint64_t> leftOfControlGroups(std::string_view membership, const std::string &root) {
  return leastOf(membership, root, leftOf);
}

std::optional<uint64_t> swapLeftOfControlGroups(std::string_view membership,
                                                const std::string &root) {
  return leastOf(membership, root, swapLeftOf);
}

std::optional<double> coresOfControlGroups(std::string_view membership, const std::string &root) {
  std::optional<double> least;
  lowerAround(root, pathOf(membership, ""), coresInMax, least);
  for (const char *const controllers : {"cpu,cpuacct", "cpu"})
    lowerAround(root + "/" + controllers, pathOf(membership, controllers), coresInQuota, least);
  return least;
}

} // namespace mpf
