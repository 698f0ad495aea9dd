// Options whose values are words and numbers, with errors in our words. For declare_options.cpp.
#pragma once

#include "dsl/model/resolve/build_options.h"
#include "dsl/support/check.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace mpf::driver {

/// Declares --name TEXT, which goes to `take`.
CLI::Option *addText(CLI::App &command, const std::string &name,
                     std::function<void(const std::string &)> take, const std::string &what);

/// Declares --name N, where N is a whole number in least..most; `store` takes it.
template <class Store>
CLI::Option *addCount(CLI::App &command, const char *name, const char *what, uint64_t least,
                      uint64_t most, Store store) {
  return addText(
      command, name,
      [name, least, most, store](const std::string &text) {
        const std::optional<uint64_t> number = parseUnsigned(text);
        if (!number || *number < least || *number > most)
          fail(ErrorKind::Usage, "{} {}: expected a whole number from {} to {}", name, text, least,
               most == UINT64_MAX ? "2^64 - 1" : fmt::format("{}", most));
        store(*number);
      },
      what);
}

/// Returns the number above 0 in `text`, the value of `option`; `what` is its unit.
inline double positiveNumber(const char *option, const char *what, const std::string &text) {
  const std::optional<double> number = parseDouble(text);
  if (!number || !(*number > 0))
    fail(ErrorKind::Usage, "{} {}: expected a number of {} above 0", option, text, what);
  return *number;
}

/// Adds the param of -D to `params`: n=32, beta=linspace(0, 1, 64).
void setParam(ParamSettings &params, const std::string &text);

/// Declares --name WORD, where WORD is one of `words`, in letters of any case; `what` says what is
/// chosen.
template <class Value>
void addWord(CLI::App &command, const std::string &name, std::type_identity_t<Value> &target,
             const std::map<std::string, Value> &words, const std::string &what,
             std::string_view instead = {}) {
  std::string known;
  for (const auto &[word, value] : words)
    known += (known.empty() ? "" : ", ") + word;
  addText(
      command, name,
      [&target, words, known, name, instead](const std::string &text) {
        const auto found = std::ranges::find_if(
            words, [&text](const auto &row) { return lowerCase(row.first) == lowerCase(text); });
        if (found == words.end())
          fail(ErrorKind::Usage, "{} {}: there are {}{}", name, text, known, instead);
        target = found->second;
      },
      what + ": " + known);
}

} // namespace mpf::driver
