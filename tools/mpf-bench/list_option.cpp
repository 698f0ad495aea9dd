#include "tools/mpf-bench/list_option.h"

#include <CLI/CLI.hpp>

namespace mpf::bench {

void addList(CLI::App &command, const char *name, std::vector<std::string> &values,
             const std::vector<std::string> &known, const char *text) {
  CLI::Option *option = command.add_option(name, values, text)->delimiter(',');
  if (!known.empty())
    option->check(CLI::IsMember(known));
  option->capture_default_str();
}

} // namespace mpf::bench
