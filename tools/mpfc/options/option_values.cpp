#include "tools/mpfc/options/option_values.h"

#include "dsl/model/build/read_sweep.h"
#include "dsl/support/check.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace mpf::driver {

CLI::Option *addText(CLI::App &command, const std::string &name,
                     std::function<void(const std::string &)> take, const std::string &what) {
  return command.add_option_function<std::string>(name, std::move(take), what);
}

void setParam(ParamSettings &params, const std::string &text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail(ErrorKind::Usage, "-D {}: expected NAME=NUMBER or NAME=SWEEP", text);
  const std::string value = text.substr(equals + 1);
  const std::optional<double> number = parseDouble(value);
  GivenParam given = number ? GivenParam(*number) : GivenParam(readSweep(value, "-D " + text));
  if (!params.values.try_emplace(text.substr(0, equals), std::move(given)).second)
    fail(ErrorKind::Usage, "-D {}: the param is given twice", text);
}

} // namespace mpf::driver
