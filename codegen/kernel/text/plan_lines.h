// The base class of the readers of all families' plans: it reads lists, choices, and the lines that
// every plan has.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"
#include "dsl/source/line_reader.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace mpf {

/// Member functions return false once something was reported; the reader then ignores the rest of
/// the text. Not thread-safe.
class PlanLines {
protected:
  static constexpr size_t kMaxEntries = 1024; ///< digits, axes, list items: far above any real plan

  explicit PlanLines(LineReader &lines) : lines_(lines) {}

  /// Finds the next word among the names of `choices`, else reports what was expected.
  template <class Choice, size_t N, class NameOf>
  bool choose(const std::array<Choice, N> &choices, NameOf nameOf, std::string_view what,
              Choice &chosen) {
    const auto word = lines_.takeWord(what);
    if (!word)
      return false;
    for (Choice choice : choices)
      if (nameOf(choice) == *word) {
        chosen = choice;
        return true;
      }
    return wrong(what);
  }

  template <class Number> bool number(std::string_view key, uint64_t max, Number &value) {
    const auto read = lines_.takeUnsignedKey(key, max);
    if (read)
      value = static_cast<Number>(*read);
    return read.has_value();
  }

  /// "key=a,b,c"; "-" is an empty list.
  template <class Item>
  bool list(std::string_view key, std::vector<Item> &items,
            const std::function<std::optional<Item>(std::string_view)> &item) {
    const auto text = lines_.takeKey(key);
    if (!text)
      return false;
    if (*text == "-")
      return true;
    for (size_t begin = 0; begin <= text->size();) {
      const size_t end = std::min(text->find(',', begin), text->size());
      const auto value = item(std::string_view(*text).substr(begin, end - begin));
      if (!value || items.size() == kMaxEntries)
        return wrong(fmt::format("a list after {}=", key));
      items.push_back(*value);
      begin = end + 1;
    }
    return true;
  }

  /// "name:extent:step".
  template <class Part>
  std::optional<Part>
  partOf(std::string_view text,
         const std::function<std::optional<uint32_t>(std::string_view)> &named) const {
    const auto fields = splitPart(text);
    const auto which = fields ? named(fields->name) : std::nullopt;
    return which ? std::optional(Part{*which, fields->extent, fields->step}) : std::nullopt;
  }

  /// "key=d0,d2": a list of digits of a form that has `count` digits.
  bool digitList(std::string_view key, size_t count, std::vector<DigitId> &digits);

  /// Reads a plan behind its head, up to the line 'end'. It reads the lines of the header itself
  /// and calls `readLine` with the keyword of every other line.
  bool readBody(KernelHeader &plan, const std::function<bool(const std::string &)> &readLine);
  /// Reads a line of a digit form into `form`. Returns none when `keyword` begins no such line.
  std::optional<bool> readFormLine(const std::string &keyword, DigitForm &form);

  bool wrong(std::string_view what);
  bool readDigit(std::vector<Digit> &digits);
  bool readAccess(DigitAccess &access);
  bool readSemiring(Semiring &semiring);
  bool readYesNo(std::string_view key, bool &yes);

  LineReader &lines_;

private:
  std::optional<bool> readHeaderLine(const std::string &keyword, KernelHeader &plan);
  bool readValues(ValueForm &form, ElementType &type);
  bool readLogSum(LogSum &logSum);
  bool readIndex(IndexWidth &width);
  bool readLaunch(LaunchShape &launch);
  bool readCost(std::vector<CostTerm> &terms);
  bool readPredicted(double &predictedUs, double &floorUs);

  struct PartText {
    std::string_view name;
    uint64_t extent = 0, step = 0;
  };
  static std::optional<PartText> splitPart(std::string_view text);
};

} // namespace mpf
