// Helpers of the printers of all families' plans; plan_lines.h reads back what they print.
#pragma once

#include "codegen/kernel/plan/kernel_header.h"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mpf::plantext {

using Text = std::string;

template <class... Args> void line(Text &text, fmt::format_string<Args...> format, Args &&...args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text += '\n';
}

/// "1,2,3", or "-" for an empty list.
template <class List, class Show> std::string joined(const List &list, Show show) {
  std::string text;
  for (const auto &item : list) {
    if (!text.empty())
      text += ',';
    text += show(item);
  }
  return text.empty() ? "-" : text;
}
/// The same for a list of numbers or ids.
template <class List> std::string joined(const List &list) {
  return joined(list, [](const auto &item) { return fmt::format("{}", item); });
}

// All of the following append whole lines to `text`. With a `program`, comments in the lines name
// its tables and variables; it may be null.

/// One line: `keyword`, then table, size, strides and packing of the access.
void printAccess(Text &text, std::string_view keyword, const DigitAccess &access,
                 const TableProgram *program);
/// One line for each digit: extent, kept or reduced, variables.
void printDigits(Text &text, const std::vector<Digit> &digits, const TableProgram *program);

/// The first lines of a plan of one operation: "kernel NAME", "family FAMILY", semiring and values.
void printHead(Text &text, const KernelHeader &plan, std::string_view family,
               const DigitForm &form);
/// Two lines: the semiring, and the value form with the element type.
void printValues(Text &text, Semiring semiring, const KernelHeader &plan);
/// Digits, operands, result.
void printTables(Text &text, const DigitForm &form, const TableProgram *program);
void printStore(Text &text, const KernelHeader &plan); ///< store vector and index width
/// Launch, cost, "end".
void printTail(Text &text, const KernelHeader &plan);

} // namespace mpf::plantext
