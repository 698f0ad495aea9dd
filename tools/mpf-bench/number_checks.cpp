#include "tools/mpf-bench/number_checks.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <string>

namespace mpf::bench {

namespace {

/// Makes a check. `holds` must be false for NaN.
template <class Holds> CLI::Validator numberCheck(const std::string &what, const Holds &holds) {
  return CLI::Validator(
      [what, holds](const std::string &text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && holds(value)
                   ? std::string()
                   : fmt::format("{} is not a {}", text, what);
      },
      "");
}

} // namespace

const CLI::Validator &positive() {
  static const CLI::Validator check =
      numberCheck("number above zero", [](double value) { return value > 0; });
  return check;
}

CLI::Validator between(double least, double greatest) {
  return numberCheck(
      fmt::format("number from {} to {}", least, greatest),
      [least, greatest](double value) { return value >= least && value <= greatest; });
}

} // namespace mpf::bench
