// What a network is called that has no name of its own.
#pragma once

#include <string>

namespace mpf {

/// File name -> an identifier for Model::name: "data/90-10-1.uai.xz" -> "m90_10_1".
std::string modelNameFor(const std::string &path);

} // namespace mpf
