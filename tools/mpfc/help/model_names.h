// The names in a model file, for completion.
#pragma once

#include <string>
#include <vector>

namespace mpf::driver {

/// Names as a model spells them, in backquotes where they need these.
struct ModelNames {
  struct Variable {
    std::string name;
    std::vector<std::string> labels; ///< of its states, or their numbers
  };
  std::vector<Variable> variables;
  std::vector<std::string> queries;
  std::vector<std::string> params;
};

/// Reads a model file of any format. Returns no names for what cannot be read, for files above 4
/// MiB and for devices and pipes. Reports nothing.
ModelNames namesOfModel(const std::string &path);

} // namespace mpf::driver
