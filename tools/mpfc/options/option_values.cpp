#include "tools/mpfc/options/option_values.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace mpf::driver {

CLI::Option *addText(CLI::App &command, const std::string &name,
                     std::function<void(const std::string &)> take, const std::string &what) {
  return command.add_option_function<std::string>(name, std::move(take), what);
}

} // namespace mpf::driver
