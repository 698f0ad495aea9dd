#include "dsl/formats/result_file.h"
#include "dsl/support/number_text.h"

#include <utility>

namespace mpf {

std::string formatResult(const ResultFile &result) {
  switch (result.task) {
  case UaiTask::Pr:
    return fmt::format("PR\n{}\n", formatDouble(result.log10Value));
  case UaiTask::Mar: {
    std::string out = fmt::format("MAR\n{}", result.marginals.size());
    for (const std::vector<double> &marginal : result.marginals) {
      out += fmt::format(" {}", marginal.size());
      for (const double value : marginal)
        out += ' ' + formatDouble(value);
    }
    return out + '\n';
  }
  case UaiTask::Mpe: {
    std::string out = "MPE\n";
    std::string_view before;
    for (const std::vector<uint32_t> &states : result.solutions) {
      out += fmt::format("{}{}", std::exchange(before, "-BEGIN-\n"), states.size());
      for (const uint32_t state : states)
        out += fmt::format(" {}", state);
      out += '\n';
    }
    return out;
  }
  case UaiTask::Mmap:
    break;
  }
  std::string out = fmt::format("MMAP\n{}", result.assignment.size());
  for (const Observation &one : result.assignment)
    out += fmt::format(" {} {}", one.variable, one.state);
  return out + '\n';
}

} // namespace mpf
