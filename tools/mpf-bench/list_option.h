// Options of mpf-bench that take several words.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpf::bench {

/// Words with commas between them; only those that are `known`, if any are.
void addList(CLI::App &command, const char *name, std::vector<std::string> &values,
             const std::vector<std::string> &known, const char *text);

} // namespace mpf::bench
