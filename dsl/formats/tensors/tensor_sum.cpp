#include "dsl/formats/tensors/tensor_sum.h"

#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

void TensorSumBuilder::addIndex(const PlacedText &name) {
  auto found = places_.find(name.text);
  if (found == places_.end()) {
    found = places_.emplace(name.text, made_.indices.size()).first;
    made_.indices.push_back({std::string(name.text), name.range});
  }
  made_.operands.back().indices.push_back(found->second);
}

bool TensorSumBuilder::addOutput(const PlacedText &name) {
  const std::optional<size_t> index = indexNamed(name.text);
  if (!index)
    return error(name.range, fmt::format("the result has the index '{}', which no operand has",
                                         excerpt(name.text)));
  if (std::exchange(made_.indices[*index].isInOutput, true))
    return error(name.range,
                 fmt::format("the result has the index '{}' twice", excerpt(name.text)));
  made_.output.push_back(*index);
  return true;
}

std::optional<size_t> TensorSumBuilder::indexNamed(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace mpf
