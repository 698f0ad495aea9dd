// What the printers of plans (print_kernel.h, print_chain.h) have in common; plan_lines.h reads it
// back.
#pragma once

#include "codegen/kernel/plan/kernel_plan.h"

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
/// Of numbers and ids.
template <class List> std::string joined(const List &list) {
  return joined(list, [](const auto &item) { return fmt::format("{}", item); });
}

void printDigits(Text &text, const std::vector<Digit> &digits, const TableProgram *program);
void printAccess(Text &text, std::string_view keyword, const DigitAccess &access,
                 const TableProgram *program);
void printValues(Text &text, Semiring semiring, ValueForm form, ElementType type);
void printIndex(Text &text, IndexWidth width);
void printLaunch(Text &text, const LaunchShape &launch);
void printCosts(Text &text, const std::vector<CostTerm> &terms, double predictedUs, double floorUs);

} // namespace mpf::plantext
