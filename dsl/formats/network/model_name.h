// Makes the name of a network whose file gives none.
#pragma once

#include <string>

namespace mpf {

/// An identifier for Model::name, made from the file's name: "data/90-10-1.uai.xz" -> "m90_10_1".
std::string modelNameFor(const std::string &path);

} // namespace mpf
