#include "dsl/formats/result_file.h"
#include "dsl/support/number_text.h"

namespace mpf {

std::string formatResult(const ResultFile &result) {
  switch (result.task) {
  case ResultTask::Pr:
    return fmt::format("PR\n{}\n", formatDouble(result.log10Value));
  case ResultTask::Mar: {
    std::string out = fmt::format("MAR\n{}", result.marginals.size());
    for (const std::vector<double> &marginal : result.marginals) {
      out += fmt::format(" {}", marginal.size());
      for (const double value : marginal)
        out += ' ' + formatDouble(value);
    }
    return out + '\n';
  }
  case ResultTask::Mpe: {
    std::string out = fmt::format("MPE\n{}", result.states.size());
    for (const uint32_t state : result.states)
      out += fmt::format(" {}", state);
    return out + '\n';
  }
  case ResultTask::Mmap:
    break;
  }
  std::string out = fmt::format("MMAP\n{}", result.assignment.size());
  for (const Observation &one : result.assignment)
    out += fmt::format(" {} {}", one.variable, one.state);
  return out + '\n';
}

} // namespace mpf
