#include "dsl/formats/tensors/tensor_sum.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <utility>

namespace mpf {

void TensorSumBuilder::addIndex(const PlacedText &name) {
  const uint32_t number = numberOf(name.text);
  if (number >= indices_.size())
    indices_.resize(names_.size(), SIZE_MAX);
  size_t &index = indices_[number];
  if (index == SIZE_MAX) {
    index = made_.indices.size();
    made_.indices.push_back({prefix_ + std::string(name.text), name.range});
  }
  made_.operands.back().indices.push_back(index);
}

bool TensorSumBuilder::addOutput(const PlacedText &name) {
  const std::optional<uint32_t> number = names_.find(name.text);
  const size_t index = number && *number < indices_.size() ? indices_[*number] : SIZE_MAX;
  if (index == SIZE_MAX)
    return error(name.range, fmt::format("the result has the index '{}', which no operand has",
                                         excerpt(prefix_ + std::string(name.text))));
  if (std::exchange(made_.indices[index].isInOutput, true))
    return error(name.range, fmt::format("the result has the index '{}' twice",
                                         excerpt(made_.indices[index].name)));
  made_.output.push_back(index);
  return true;
}

void TensorSumBuilder::setSize(uint32_t number, uint64_t size) {
  if (number >= sizes_.size())
    sizes_.resize(names_.size());
  sizes_[number] = size;
}

TensorSum TensorSumBuilder::take() {
  for (size_t number = 0; number < std::min(indices_.size(), sizes_.size()); ++number)
    if (indices_[number] != SIZE_MAX)
      made_.indices[indices_[number]].size = sizes_[number];
  return std::move(made_);
}

} // namespace mpf
