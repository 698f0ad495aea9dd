#include "tools/mpfc/options/value_readers.h"

#include <fmt/ranges.h>

namespace mpf::driver {

void failUnknownWord(const OptionRow &row, const std::string &text,
                     const std::vector<std::string_view> &words) {
  fail(ErrorKind::Usage, "{} {}: there are {}{}", row.name, text, fmt::join(words, ", "),
       row.name == "--task"    ? "; --query takes the words of a model: --query marginals"
       : row.name == "--order" ? ", or a file"
       : row.name == "--simplify" && text == "off" ? ": none turns it off"
       : row.name == "--format" && (text == "PR" || text == "MAR" || text == "MPE")
           ? fmt::format("; --task {0} -o NAME.{0} writes the answers of a task", text)
           : "");
}

uint64_t wholeNumber(const OptionRow &row, const std::string &text, uint64_t least, uint64_t most) {
  const std::optional<uint64_t> number = parseUnsigned(text);
  if (!number || *number < least || *number > most)
    fail(ErrorKind::Usage, "{} {}: expected a whole number from {} to {}", row.name, text, least,
         most == UINT64_MAX ? "2^64 - 1" : fmt::format("{}", most));
  return *number;
}

double positiveNumber(const OptionRow &row, const std::string &text) {
  const std::optional<double> number = parseDouble(text);
  if (!number || !(*number > 0))
    fail(ErrorKind::Usage, "{} {}: expected a number of {} above 0", row.name, text,
         lowerCase(row.metavar));
  return *number;
}

} // namespace mpf::driver
