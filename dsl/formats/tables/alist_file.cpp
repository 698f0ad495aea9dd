#include "dsl/formats/tables/alist_file.h"

#include "dsl/formats/numbers/integer_list.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// One half of a file: for each bit its checks, or for each check its bits.
struct AlistHalf {
  const char *what;  ///< "bit", "check"
  const char *other; ///< the kind of the numbers in its lines
  uint64_t lines;    ///< their number
  uint64_t others;   ///< the greatest number in a line
  size_t weightsAt;  ///< of its weights in the list
  std::vector<double> numbers{};
  std::vector<uint64_t> ends{};
};

class AlistReader {
public:
  AlistReader(const IntegerList &list, Diagnostics &diagnostics)
      : list_(list), diagnostics_(diagnostics) {}

  std::optional<std::vector<NamedArray>> read() {
    const std::vector<uint64_t> &values = list_.values;
    if (values.size() < 4 || values[0] > values.size() || values[1] > values.size())
      return refuse(0, "an alist file begins with the numbers of bits and checks, and has their "
                       "weights and lists behind these");
    const uint64_t bits = values[0], checks = values[1];
    AlistHalf ofBits{"bit", "check", bits, checks, 4},
        ofChecks{"check", "bit", checks, bits, 4 + bits};
    size_t line = lineAt(4 + bits + checks);
    if (line == SIZE_MAX)
      return refuse(0, "the lists of the bits do not begin on a line of their own behind the "
                       "weights of the bits and checks");
    if (!takeHalf(ofBits, line) || !takeHalf(ofChecks, line))
      return std::nullopt;
    if (line != list_.lineCount())
      return refuse(list_.lineHeads[line], "the file goes on behind the last check");
    if (!agree(ofBits, ofChecks))
      return refuse(0, "the lists of the bits and those of the checks are of different codes");
    std::vector<NamedArray> arrays;
    arrays.push_back({"n", single(bits)});
    arrays.push_back({"m", single(checks)});
    arrays.push_back({"checks", ragged(ofChecks)});
    arrays.push_back({"bits", ragged(ofBits)});
    return arrays;
  }

private:
  std::nullopt_t refuse(size_t position, std::string message) {
    diagnostics_.report(
        {Severity::Error,
         position < list_.values.size() ? list_.placeOf(position) : SourcePlace{list_.buffer, {}},
         std::move(message),
         {}});
    return std::nullopt;
  }
  /// Returns the number of the line that starts at this position in the list; SIZE_MAX: none does.
  size_t lineAt(size_t position) const {
    const auto found = std::ranges::lower_bound(list_.lineHeads, position);
    return found != list_.lineHeads.end() && *found == position
               ? static_cast<size_t>(found - list_.lineHeads.begin())
               : SIZE_MAX;
  }

  bool takeHalf(AlistHalf &half, size_t &line) {
    for (uint64_t i = 0; i < half.lines; ++i) {
      const uint64_t weight = list_.values[half.weightsAt + i];
      // The line of a weight 0 holds zeros, or is empty: readIntegerList skips empty lines.
      const bool isEmpty =
          weight == 0 && (line >= list_.lineCount() || list_.values[list_.lineHeads[line]] != 0);
      if (!isEmpty && !takeLine(half, i, weight, line++))
        return false;
      half.ends.push_back(half.numbers.size());
    }
    return true;
  }
  bool takeLine(AlistHalf &half, uint64_t i, uint64_t weight, size_t line) {
    if (line >= list_.lineCount()) {
      refuse(list_.values.size() - 1,
             fmt::format("the file ends before the list of {} {}", half.what, i + 1));
      return false;
    }
    const size_t begin = list_.lineHeads[line], end = line + 1 < list_.lineCount()
                                                          ? list_.lineHeads[line + 1]
                                                          : list_.values.size();
    size_t last = end;
    while (last > begin && list_.values[last - 1] == 0)
      --last;
    if (last - begin != weight) {
      refuse(begin, fmt::format("the list of {} {} has {} numbers, its weight is {}", half.what,
                                i + 1, last - begin, weight));
      return false;
    }
    for (size_t at = begin; at < last; ++at) {
      if (list_.values[at] == 0 || list_.values[at] > half.others) {
        refuse(at,
               fmt::format("{} {} is outside 1..{}", half.other, list_.values[at], half.others));
        return false;
      }
      half.numbers.push_back(static_cast<double>(list_.values[at] - 1));
    }
    return true;
  }

  /// Whether both halves list the same pairs, in any order.
  static bool agree(const AlistHalf &bits, const AlistHalf &checks) {
    if (bits.numbers.size() != checks.numbers.size())
      return false;
    const auto beginOf = [&bits](size_t bit) { return bit == 0 ? 0 : bits.ends[bit - 1]; };
    // The checks of each bit as the other half lists them; they ascend.
    std::vector<double> listed(bits.numbers.size());
    std::vector<uint64_t> next;
    for (size_t bit = 0; bit < bits.ends.size(); ++bit)
      next.push_back(beginOf(bit));
    for (size_t check = 0, at = 0; check < checks.ends.size(); ++check)
      for (; at < checks.ends[check]; ++at) {
        const auto bit = static_cast<size_t>(checks.numbers[at]);
        if (next[bit] == bits.ends[bit])
          return false;
        listed[next[bit]++] = static_cast<double>(check);
      }
    std::vector<double> own = bits.numbers;
    for (size_t bit = 0; bit < bits.ends.size(); ++bit)
      std::sort(own.begin() + static_cast<ptrdiff_t>(beginOf(bit)),
                own.begin() + static_cast<ptrdiff_t>(bits.ends[bit]));
    return own == listed;
  }

  static StoredArray single(uint64_t number) {
    StoredArray stored;
    stored.array.values =
        std::make_shared<const std::vector<double>>(1, static_cast<double>(number));
    return stored;
  }
  static StoredArray ragged(AlistHalf &half) {
    StoredArray stored;
    stored.array.shape = {half.lines};
    stored.array.isRagged = true;
    stored.array.rowEnds = std::move(half.ends);
    stored.array.values = std::make_shared<const std::vector<double>>(std::move(half.numbers));
    return stored;
  }

  const IntegerList &list_;
  Diagnostics &diagnostics_;
};

} // namespace

std::optional<std::vector<NamedArray>> readAlist(std::shared_ptr<const SourceBuffer> text,
                                                 Diagnostics &diagnostics) {
  const auto list = readIntegerList(std::move(text), "an alist file", "", diagnostics);
  return list ? AlistReader(*list, diagnostics).read() : std::nullopt;
}

} // namespace mpf
