#include "dsl/formats/network/model_name.h"

#include "dsl/support/files/file_input.h"

#include <cctype>

namespace mpf {

std::string modelNameFor(const std::string &path) {
  std::string stem = withoutCompressionSuffix(path);
  stem = stem.substr(stem.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  for (char &c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80)
      c = '_';
  if (stem.empty() || !std::isalpha(static_cast<unsigned char>(stem.front())))
    stem.insert(stem.begin(), 'm');
  return stem;
}

} // namespace mpf
