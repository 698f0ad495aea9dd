#include "runtime/execute/lanes/lane_launch.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "runtime/execute/lanes/lane_weight.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mpf {

namespace {

/// The codes of one word, `bits` each; columns beyond `columns` are not there.
struct WordOfColumns {
  const CaseBlock &block;
  std::span<const uint32_t> columns;
  uint32_t bits;

  uint32_t at(uint32_t i) const {
    uint32_t word = 0;
    for (size_t c = 0; c < columns.size(); ++c)
      word |= block.code(columns[c], i) << (c * bits);
    return word;
  }
};

/// The usual words: four bytes each. A column that is not there reads another one and drops it.
void packBytes(const WordOfColumns &word, const CaseRange &range, uint32_t *to) {
  constexpr size_t kBytes = 4;
  const std::byte *codes[kBytes];
  uint32_t mask = 0;
  for (size_t c = 0; c < kBytes; ++c) {
    const bool isThere = c < word.columns.size();
    codes[c] = word.block.column(word.columns[isThere ? c : 0]) + range.first;
    mask |= isThere ? uint32_t{0xff} << (8 * c) : 0;
  }
  for (uint32_t i = 0; i < range.count; ++i)
    to[i] = mask &
            (static_cast<uint32_t>(codes[0][i]) | static_cast<uint32_t>(codes[1][i]) << 8 |
             static_cast<uint32_t>(codes[2][i]) << 16 | static_cast<uint32_t>(codes[3][i]) << 24);
}

} // namespace

void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, const CaseRange &range,
                   uint64_t pitch, uint32_t *words) {
  MPF_CHECK(block.codeBytes() * kernel.codesPerWord == 4 && pitch >= range.room &&
                range.room >= range.count,
            "codes of {} bytes, {} in a word; {} cases in {} places at a pitch of {}",
            block.codeBytes(), kernel.codesPerWord, range.count, range.room, pitch);
  const uint32_t bits = 32 / kernel.codesPerWord;
  const std::span<const uint32_t> order = kernel.codeOrder;
  for (size_t first = 0; first < order.size(); first += kernel.codesPerWord, words += pitch) {
    const size_t count = std::min<size_t>(kernel.codesPerWord, order.size() - first);
    const WordOfColumns word{block, order.subspan(first, count), bits};
    if (bits == 8)
      packBytes(word, range, words);
    else
      for (uint32_t i = 0; i < range.count; ++i)
        words[i] = word.at(range.first + i);
    std::fill(words + range.count, words + range.room, 0);
  }
}

template <class T>
void packLaneWeights(const CaseSchema &schema, const CaseBlock &block, const CaseRange &range,
                     uint64_t pitch, T *weights) {
  for (size_t row = 0; row < schema.weightCount(); ++row, weights += pitch) {
    const double *const from = block.weights().data() + row * block.pitch() + range.first;
    std::transform(from, from + range.count, weights, laneWeight<T>);
    std::fill(weights + range.count, weights + range.room, T{1});
  }
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
                const CaseRange &range, CaseAnswers &answers, std::vector<char> &isLeft) {
  const T *results = from.results;
  for (size_t t = 0; t < answers.tables.size(); ++t) {
    CaseTable &table = answers.tables[t];
    const auto scale = static_cast<int32_t>(plan.scales[program.outputs[t].access.table]);
    std::fill_n(table.exponents.data() + range.first, range.count, table.normalised ? 0 : scale);
    double *const entries = table.entries.data() + size_t{range.first} * table.size;
    for (size_t e = 0; e < table.size; ++e, results += from.pitch)
      for (uint32_t i = 0; i < range.count; ++i) {
        entries[i * table.size + e] = static_cast<double>(results[i]);
        if (!std::isfinite(results[i]))
          isLeft[i] = 1;
      }
  }
}

/// The exponents of lanes come on top of the scale that all cases share.
template <class T>
void addExponents(const LaneKernel &kernel, const LaneResults<T> &from, const CaseRange &range,
                  CaseAnswers &answers) {
  const int32_t *exponents = from.exponents;
  for (const uint32_t output : kernel.exponentOutputs) {
    int32_t *const to = answers.tables[output].exponents.data() + range.first;
    for (uint32_t i = 0; i < range.count; ++i)
      to[i] += exponents[i];
    exponents += from.pitch;
  }
}

template <class T>
void readStates(const LaneProgram &program, const LaneResults<T> &from, const CaseRange &range,
                CaseAnswers &answers) {
  std::vector<char> isDecoded(answers.variables, 0);
  for (const LaneTraceback &step : program.traceback)
    isDecoded[step.variable.index()] = 1;
  uint32_t *const states = answers.states.data() + size_t{range.first} * answers.variables;
  for (size_t v = 0; v < answers.variables; ++v) {
    const uint32_t fixed = program.fixedStates[v];
    const uint32_t given = fixed == LaneProgram::kNoState ? 0 : fixed;
    for (uint32_t i = 0; i < range.count; ++i)
      states[i * answers.variables + v] =
          isDecoded[v] != 0 ? from.states[v * from.pitch + i] : given;
  }
}

} // namespace

template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, const CaseRange &range, CaseAnswers &answers,
                     std::vector<uint32_t> &left) {
  std::vector<char> isLeft(range.count, 0);
  readTables(plan, program, from, range, answers, isLeft);
  addExponents(kernel, from, range, answers);
  if (answers.variables != 0)
    readStates(program, from, range, answers);
  for (uint32_t i = 0; i < range.count; ++i)
    if (isLeft[i] != 0)
      left.push_back(range.first + i);
}

template void packLaneWeights<float>(const CaseSchema &, const CaseBlock &, const CaseRange &,
                                     uint64_t, float *);
template void packLaneWeights<double>(const CaseSchema &, const CaseBlock &, const CaseRange &,
                                      uint64_t, double *);
template std::vector<float> laneImage<float>(const LaneKernel &, const LinearPlan &,
                                             const CommonTables &);
template std::vector<double> laneImage<double>(const LaneKernel &, const LinearPlan &,
                                               const CommonTables &);
template void readLaneResults<float>(const LaneProgram &, const LinearPlan &, const LaneKernel &,
                                     const LaneResults<float> &, const CaseRange &, CaseAnswers &,
                                     std::vector<uint32_t> &);
template void readLaneResults<double>(const LaneProgram &, const LinearPlan &, const LaneKernel &,
                                      const LaneResults<double> &, const CaseRange &, CaseAnswers &,
                                      std::vector<uint32_t> &);

} // namespace mpf
