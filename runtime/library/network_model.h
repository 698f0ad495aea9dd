// The model in a Network, for the functions of the library that compile it.
#pragma once

#include "dsl/model/model.h"
#include "runtime/api/network.h"

#include <string>
#include <vector>

namespace mpf {

/// Texts of the language that a compilation adds to a network; empty: none.
struct AskedNetwork {
  std::string unobserve, observe, query;
  /// Gets the warnings of the network and of asking; may be null.
  std::vector<std::string> *warnings = nullptr;
};

struct NetworkModel {
  /// Returns the model after evidence was taken away and added, in this order. A query replaces
  /// those of the network. Throws Error(Usage) for texts that do not go with the model.
  static Model asked(Network network, const AskedNetwork &how);
};

} // namespace mpf
