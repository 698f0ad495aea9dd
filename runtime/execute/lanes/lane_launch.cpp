#include "runtime/execute/lanes/lane_launch.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "runtime/execute/lanes/lane_weight.h"

#include <algorithm>
#include <cmath>

namespace mpf {

void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, uint64_t pitch,
                   std::vector<uint32_t> &words) {
  MPF_CHECK(block.codeBytes() * kernel.codesPerWord == 4 && pitch >= block.count,
            "codes of {} bytes, {} in a word; {} cases at a pitch of {}", block.codeBytes(),
            kernel.codesPerWord, block.count, pitch);
  words.assign(kernel.wordCount() * pitch, 0);
  const uint32_t bits = 32 / kernel.codesPerWord;
  for (uint64_t place = 0; place < kernel.codeOrder.size(); ++place) {
    uint32_t *const to = words.data() + place / kernel.codesPerWord * pitch;
    const auto shift = static_cast<uint32_t>(place % kernel.codesPerWord) * bits;
    const uint32_t column = kernel.codeOrder[place];
    if (bits == 8) {
      const std::byte *const codes = block.column(column);
      for (uint32_t i = 0; i < block.count; ++i)
        to[i] |= static_cast<uint32_t>(codes[i]) << shift;
    } else {
      for (uint32_t i = 0; i < block.count; ++i)
        to[i] |= block.code(column, i) << shift;
    }
  }
}

template <class T>
std::vector<T> laneWeights(const CaseSchema &schema, const CaseBlock &block, uint64_t pitch) {
  const size_t rows = schema.weightCount();
  std::vector<T> weights(rows * pitch, T{1});
  for (size_t row = 0; row < rows; ++row)
    for (uint32_t i = 0; i < block.count; ++i)
      weights[row * pitch + i] = laneWeight<T>(block.weights()[row * block.pitch() + i]);
  return weights;
}

namespace {

/// An entry of a shared table, scaled as the plan says.
template <class T> T imageEntry(const WideNumber &entry, uint32_t table, const LinearPlan &plan) {
  if (entry.mantissa == 0)
    return T{0};
  return static_cast<T>(
      std::ldexp(entry.mantissa, static_cast<int>(entry.exponent - plan.scales[table])));
}

template <class T>
void copyInOrder(const LaneImageCopy &copy, const LinearPlan &plan, const CommonTables &common,
                 std::vector<T> &image) {
  const std::vector<WideNumber> &entries = common.table(copy.table);
  const std::vector<uint64_t> row = placeOffsets(copy.row, 0);
  uint64_t to = copy.offsetElems;
  for (const uint64_t first : placeOffsets(copy.rows, copy.baseElems)) {
    for (size_t e = 0; e < row.size(); ++e)
      image[to + e] = imageEntry<T>(entries[first + row[e]], copy.table, plan);
    to += copy.pitchElems;
  }
}

} // namespace

template <class T>
std::vector<T> laneImage(const LaneKernel &kernel, const LinearPlan &plan,
                         const CommonTables &common) {
  std::vector<T> image(kernel.imageElems, T{0});
  for (const LaneImageTable &placed : kernel.image) {
    const std::vector<WideNumber> &entries = common.table(placed.table);
    for (size_t e = 0; e < entries.size(); ++e)
      image[placed.offsetElems + e / placed.rowElems * placed.pitchElems + e % placed.rowElems] =
          imageEntry<T>(entries[e], placed.table, plan);
  }
  for (const LaneImageCopy &copy : kernel.copies)
    copyInOrder(copy, plan, common, image);
  return image;
}

namespace {

template <class T>
void readTables(const LinearPlan &plan, const LaneProgram &program, const LaneResults<T> &from,
                CaseAnswers &answers, std::vector<char> &isLeft) {
  const T *results = from.results;
  for (size_t t = 0; t < answers.tables.size(); ++t) {
    CaseTable &table = answers.tables[t];
    const auto scale = static_cast<int32_t>(plan.scales[program.outputs[t].access.table]);
    std::fill_n(table.exponents.begin(), answers.count, table.normalised ? 0 : scale);
    for (size_t e = 0; e < table.size; ++e, results += from.pitch)
      for (uint32_t i = 0; i < answers.count; ++i) {
        table.entries[i * table.size + e] = static_cast<double>(results[i]);
        if (!std::isfinite(results[i]))
          isLeft[i] = 1;
      }
  }
}

/// The exponents of lanes come on top of the scale that all cases share.
template <class T>
void addExponents(const LaneKernel &kernel, const LaneResults<T> &from, CaseAnswers &answers) {
  const int32_t *exponents = from.exponents;
  for (const uint32_t output : kernel.exponentOutputs) {
    std::vector<int32_t> &to = answers.tables[output].exponents;
    for (uint32_t i = 0; i < answers.count; ++i)
      to[i] += exponents[i];
    exponents += from.pitch;
  }
}

template <class T>
void readStates(const LaneProgram &program, const LaneResults<T> &from, CaseAnswers &answers) {
  std::vector<char> isDecoded(answers.variables, 0);
  for (const LaneTraceback &step : program.traceback)
    isDecoded[step.variable.index()] = 1;
  for (size_t v = 0; v < answers.variables; ++v) {
    const uint32_t fixed = program.fixedStates[v];
    const uint32_t given = fixed == LaneProgram::kNoState ? 0 : fixed;
    for (uint32_t i = 0; i < answers.count; ++i)
      answers.states[i * answers.variables + v] =
          isDecoded[v] != 0 ? from.states[v * from.pitch + i] : given;
  }
}

} // namespace

template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, CaseAnswers &answers,
                     std::vector<uint32_t> &left) {
  std::vector<char> isLeft(answers.count, 0);
  readTables(plan, program, from, answers, isLeft);
  addExponents(kernel, from, answers);
  if (answers.variables != 0)
    readStates(program, from, answers);
  left.clear();
  for (uint32_t i = 0; i < answers.count; ++i)
    if (isLeft[i] != 0)
      left.push_back(i);
}

template std::vector<float> laneWeights<float>(const CaseSchema &, const CaseBlock &, uint64_t);
template std::vector<double> laneWeights<double>(const CaseSchema &, const CaseBlock &, uint64_t);
template std::vector<float> laneImage<float>(const LaneKernel &, const LinearPlan &,
                                             const CommonTables &);
template std::vector<double> laneImage<double>(const LaneKernel &, const LinearPlan &,
                                               const CommonTables &);
template void readLaneResults<float>(const LaneProgram &, const LinearPlan &, const LaneKernel &,
                                     const LaneResults<float> &, CaseAnswers &,
                                     std::vector<uint32_t> &);
template void readLaneResults<double>(const LaneProgram &, const LinearPlan &, const LaneKernel &,
                                      const LaneResults<double> &, CaseAnswers &,
                                      std::vector<uint32_t> &);

} // namespace mpf
