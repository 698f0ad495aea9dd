// Finds the networks of a folder, each with its evidence.
#pragma once

#include <string>
#include <vector>

namespace mpf::bench {

struct NetworkInstance {
  std::string name;     ///< "grids/90-14-1"; with the evidence's name "bnlearn/alarm.e1"
  std::string model;    ///< path
  std::string evidence; ///< path; empty: only the evidence in the model
};

/// Returns the networks in `paths`, sorted by name: files, and folders with all folders below. A
/// model ends in .uai, .bif or .mpf, and may be compressed. Of files whose names differ only in
/// these endings, the first in this order is used. Its evidence is that of mpfc (evidenceBeside);
/// each other NAME.X.evid makes a further instance NAME.X. Throws Error(Usage) for paths that do
/// not exist.
std::vector<NetworkInstance> findInstances(const std::vector<std::string> &paths);

} // namespace mpf::bench
