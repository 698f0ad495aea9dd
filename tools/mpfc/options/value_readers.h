// Readers for the values of options, with errors in words: for the rows in the files of
// option_rows.h.
#pragma once

#include "dsl/formats/network/format_options.h"
#include "dsl/support/check.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/number_text.h"
#include "tools/mpfc/options/option_row.h"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace mpf::driver {

/// A word that is a value of an option.
template <class Value> struct ValueWord {
  std::string_view word;
  Value value;
};

/// Throws Error(Usage): "--task XYZ: there are PR, MAR".
[[noreturn]] void failUnknownWord(const OptionRow &row, const std::string &text,
                                  const std::vector<std::string_view> &words);
/// Returns the whole number in least..most. Throws Error(Usage) for other texts.
uint64_t wholeNumber(const OptionRow &row, const std::string &text, uint64_t least, uint64_t most);
/// Returns the number above 0. Throws Error(Usage), with the metavar as its unit, for other texts.
double positiveNumber(const OptionRow &row, const std::string &text);

/// The type of `member`, or of the value in it if that is optional.
template <class Type> struct Held { using type = Type; };
template <class Type> struct Held<std::optional<Type>> { using type = Type; };
template <auto member>
using HeldBy =
    typename Held<std::remove_cvref_t<decltype(std::declval<Options &>().*member)>>::type;

/// Sets an option of some formats.
inline void readFormatOption(Options &options, const OptionRow &row, const std::string &text) {
  formatOptionNamed(row.name)->set(options.reading, text);
}

/// A flag sets `member`.
template <auto member> constexpr OptionValue flagIn() {
  return {[](Options &options, const OptionRow &, const std::string &) { options.*member = true; }};
}

/// A text, as it stands.
template <auto member> constexpr OptionValue textIn(Completion completes = Completion::Nothing) {
  return {
      [](Options &options, const OptionRow &, const std::string &text) { options.*member = text; },
      completes};
}

/// Texts of an option that may be given several times.
template <auto member> constexpr OptionValue textsIn(Completion completes = Completion::Nothing) {
  return {[](Options &options, const OptionRow &, const std::string &text) {
            (options.*member).push_back(text);
          },
          completes};
}

/// The words of a list that is a constant.
template <const auto &words> std::vector<std::string_view> wordsOf() {
  std::vector<std::string_view> all;
  for (const auto &row : words)
    all.push_back(row.word);
  return all;
}

/// Returns the value of one of `words`, in letters of any case.
template <const auto &words> auto valueOfWord(const OptionRow &row, const std::string &text) {
  const auto found = std::ranges::find_if(
      words, [&](const auto &known) { return lowerCase(known.word) == lowerCase(text); });
  if (found == std::end(words))
    failUnknownWord(row, text, wordsOf<words>());
  return found->value;
}

/// One of `words`.
template <const auto &words, auto member> constexpr OptionValue wordIn() {
  return {[](Options &options, const OptionRow &row, const std::string &text) {
            options.*member = valueOfWord<words>(row, text);
          },
          Completion::Choices, wordsOf<words>};
}

/// A whole number in least..most.
template <auto member, uint64_t least, uint64_t most> constexpr OptionValue countIn() {
  return {[](Options &options, const OptionRow &row, const std::string &text) {
    options.*member = static_cast<HeldBy<member>>(wholeNumber(row, text, least, most));
  }};
}

/// A number above 0.
template <auto member> constexpr OptionValue positiveIn() {
  return {[](Options &options, const OptionRow &row, const std::string &text) {
    options.*member = positiveNumber(row, text);
  }};
}

} // namespace mpf::driver
