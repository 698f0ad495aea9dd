#include "tests/oracle/interpret/interpretation.h"

#include <fmt/format.h>
#include <utility>

namespace mpf {

Interpretation finished(const std::vector<std::optional<double>> &result, std::string fault) {
  Interpretation done{.result = {}, .fault = std::move(fault)};
  for (size_t i = 0; i < result.size(); ++i) {
    if (!result[i] && done.fault.empty())
      done.fault = fmt::format("entry {} of the result is never written", i);
    done.result.push_back(result[i].value_or(0));
  }
  return done;
}

} // namespace mpf
