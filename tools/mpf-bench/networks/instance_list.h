// Finds the networks of a folder, each with its evidence.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct NetworkInstance {
  std::string name;     ///< "grids/90-14-1", "bnlearn/alarm.e1": of the evidence if it has a name
  std::string model;    ///< path
  std::string evidence; ///< path; empty: none beside what the model observes
};

/// The networks in `paths`: folders, with all folders below, and files. A model
/// ends in .uai, .bif or .mpf, and may be compressed. Files of the same name but for their endings
/// hold one network, of which the first of these is taken. Its evidence is what mpfc takes
/// (evidenceBeside); each other NAME.X.evid makes a further instance NAME.X. In the order of names.
/// Throws Error(Usage) for paths that do not exist.
std::vector<NetworkInstance> findInstances(const std::vector<std::string> &paths);

} // namespace mpf::bench
