// The model for readers of files about a model: six variables, one factor.
#pragma once

#include "dsl/formats/uai/uai_reader.h"

namespace mpf {

inline Model smallModel() {
  Diagnostics diagnostics;
  constexpr std::string_view text = "MARKOV 6 2 3 4 2 1 2 1 2 0 1 6 1 2 3 4 5 6";
  return readUai(std::make_shared<const SourceBuffer>("m", std::string(text)), diagnostics).value();
}

} // namespace mpf
