#include "dsl/support/system/numa_nodes.h"

#include "dsl/support/system/allowed_cores.h"
#include "dsl/support/system/system_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace mpf {

namespace {

constexpr size_t kMostNumbers = size_t{1} << 20;

/// Takes a number from the front of the text.
std::optional<unsigned> takeNumber(std::string_view &text) {
  unsigned number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view &text, char mark) {
  const bool isThere = text.starts_with(mark);
  text.remove_prefix(isThere ? 1 : 0);
  return isThere;
}

} // namespace

std::vector<unsigned> numbersOfList(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  std::vector<unsigned> numbers;
  do {
    const std::optional<unsigned> first = takeNumber(text);
    const std::optional<unsigned> last = first && take(text, '-') ? takeNumber(text) : first;
    if (!last || *last < *first || *last - *first >= kMostNumbers - numbers.size())
      return {};
    for (unsigned number = *first; number != *last; ++number)
      numbers.push_back(number);
    numbers.push_back(*last);
  } while (take(text, ','));
  if (!text.empty())
    return {};
  std::ranges::sort(numbers);
  const auto [end, rest] = std::ranges::unique(numbers);
  numbers.erase(end, rest);
  return numbers;
}

std::vector<unsigned> numaNodesOf(std::span<const unsigned> cores, const std::string &root) {
  std::vector<unsigned> nodes;
  for (const unsigned node : numbersOfList(systemText(root + "/online"))) {
    const std::vector<unsigned> own =
        numbersOfList(systemText(root + "/node" + std::to_string(node) + "/cpulist"));
    if (std::ranges::any_of(cores,
                            [&](unsigned core) { return std::ranges::binary_search(own, core); }))
      nodes.push_back(node);
  }
  return nodes;
}

const std::vector<unsigned> &numaNodes() {
  static const std::vector<unsigned> nodes =
      numaNodesOf(allowedCoreNumbers(), "/sys/devices/system/node");
  return nodes;
}

} // namespace mpf
