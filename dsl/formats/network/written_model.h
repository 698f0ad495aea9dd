// The text of a file, and what a model loses in it.
#pragma once

#include <string>
#include <vector>

namespace mpf {

struct WrittenModel {
  std::string text;
  std::vector<std::string> losses; ///< a sentence on each thing of the model that `text` leaves out
};

} // namespace mpf
