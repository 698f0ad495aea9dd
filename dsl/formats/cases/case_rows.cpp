#include "dsl/formats/cases/case_rows.h"

#include <algorithm>
#include <cmath>

namespace mpf {

std::vector<LikelihoodRows> likelihoodRows(const CaseSchema &schema, const Model &model) {
  std::vector<LikelihoodRows> all;
  size_t first = 0;
  for (const CaseVariable &likelihood : schema.likelihoods) {
    all.push_back({model.variable(likelihood.variable).name, first, likelihood.extent});
    first += likelihood.extent;
  }
  return all;
}

WeightFault completeWeights(CaseBlock &block, const LikelihoodRows &likelihood, uint32_t row) {
  double *const weights = block.weights().data() + likelihood.first * block.pitch() + row;
  uint32_t missing = 0;
  double most = 0;
  for (uint32_t state = 0; state < likelihood.extent; ++state) {
    const double weight = weights[size_t{state} * block.pitch()];
    missing += std::isnan(weight);
    most = std::max(most, weight);
  }
  if (missing != likelihood.extent)
    return missing != 0 ? WeightFault::SomeMissing
           : most == 0  ? WeightFault::AllZero
                        : WeightFault::None;
  for (uint32_t state = 0; state < likelihood.extent; ++state)
    weights[size_t{state} * block.pitch()] = 1;
  return WeightFault::None;
}

void clearCase(CaseBlock &block, const CaseSchema &schema, uint32_t row) {
  for (size_t column = 0; column < schema.observed.size(); ++column)
    block.setCode(column, row, schema.observed[column].extent);
  for (size_t at = row; at < block.weights().size(); at += block.pitch())
    block.weights()[at] = 1;
  for (size_t at = row; at < block.params().size(); at += block.pitch())
    block.params()[at] = kNoNumber;
}

uint32_t pitchForRows(size_t rows) {
  /// Columns whose distance is a multiple of this collide in few sets of a cache.
  constexpr size_t kAliasBytes = 4096;
  const size_t pitch = (rows + 63) / 64 * 64;
  return static_cast<uint32_t>(pitch % kAliasBytes == 0 ? pitch + 64 : pitch);
}

void makeRoomForRows(CaseBlock &block, const CaseSchema &schema, size_t rows) {
  if (const uint32_t pitch = pitchForRows(rows); block.pitch() < pitch)
    block = CaseBlock(schema, pitch);
  block.startAt(0);
}

} // namespace mpf
