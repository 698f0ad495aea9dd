#include "dsl/model/print/print_mpf_table.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/numbers/table_number.h"

namespace mpf {

namespace {

constexpr size_t kOneLineElems = 8; ///< sub-tables up to this size stay on one line

class TablePrinter {
public:
  TablePrinter(std::string &out, const std::function<std::string(uint64_t)> &entryText,
               std::span<const uint32_t> extents)
      : out_(out), entryText_(entryText), extents_(extents) {}

  void print(size_t axis, size_t begin, size_t elems, size_t indent) {
    if (axis + 1 >= extents_.size())
      return printRow(begin, elems, indent);
    const bool oneLine = elems <= kOneLineElems;
    const size_t step = elems / extents_[axis];
    out_ += '[';
    for (uint32_t i = 0; i < extents_[axis]; ++i) {
      if (i != 0)
        out_ += oneLine ? ", " : ",";
      if (!oneLine)
        newLine(indent + 2);
      print(axis + 1, begin + i * step, step, indent + 2);
    }
    if (!oneLine)
      newLine(indent);
    out_ += ']';
  }

  void printRow(size_t begin, size_t elems, size_t indent) {
    out_ += '[';
    // Lines are wrapped as if they started at the indent. The length of the factor's head is
    // unknown here, so that only the first line may be too long.
    size_t column = indent + 1;
    for (size_t i = 0; i < elems; ++i) {
      const std::string number = entryText_(begin + i);
      if (i != 0) {
        out_ += ',';
        column += 2;
        if (column + number.size() > kColumns) {
          newLine(indent + 1);
          column = indent + 1;
        } else {
          out_ += ' ';
        }
      }
      out_ += number;
      column += number.size();
    }
    out_ += ']';
  }

private:
  void newLine(size_t indent) {
    out_ += '\n';
    out_.append(indent, ' ');
  }

  std::string &out_;
  const std::function<std::string(uint64_t)> &entryText_;
  std::span<const uint32_t> extents_;
};

} // namespace

void printMpfTable(std::string &out, const std::function<std::string(uint64_t)> &entryText,
                   std::span<const uint32_t> extents) {
  uint64_t elems = 1;
  for (const uint32_t extent : extents)
    elems *= extent;
  if (extents.empty())
    out += entryText(0);
  else if (extents.size() > kMaxNesting)
    TablePrinter(out, entryText, extents).printRow(0, elems, 2);
  else
    TablePrinter(out, entryText, extents).print(0, 0, elems, 0);
}

std::string mpfNumberText(const ScaledNumber &number) {
  const std::optional<double> plain = number.value();
  return plain ? formatDouble(*plain)
               : fmt::format("{} * 2^{}", formatDouble(number.mantissa), number.exponent);
}

void printMpfTable(std::string &out, std::span<const double> values,
                   std::span<const uint32_t> extents) {
  uint64_t needed = 1;
  for (const uint32_t extent : extents)
    needed *= extent;
  MPF_CHECK(values.size() == needed, "table of {} values, its extents need {}", values.size(),
            needed);
  // The shortest text of a subnormal double spells a number that is not quite the double.
  const auto entryText = [values](uint64_t i) {
    return isBelowNormal(values[i]) ? mpfNumberText(ScaledNumber::fromValue(values[i]))
                                    : formatDouble(values[i]);
  };
  printMpfTable(out, entryText, extents);
}

} // namespace mpf
