#include "runtime/execute/lanes/lane_launch.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "dsl/support/vectors/vector_clones.h"
#include "runtime/execute/lanes/lane_weight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mpf {

namespace {

/// The columns of a word. A missing column reads another one and masks it out.
template <class Code> struct WordOfColumns {
  static constexpr size_t kCodes = sizeof(uint32_t) / sizeof(Code);
  static constexpr uint32_t kBits = 8 * sizeof(Code);

  const std::byte *codes[kCodes];
  uint32_t mask = 0;

  WordOfColumns(const CaseBlock &block, uint32_t first, std::span<const uint32_t> columns) {
    for (size_t c = 0; c < kCodes; ++c) {
      const bool isThere = c < columns.size();
      codes[c] = block.column(columns[isThere ? c : 0]) + first * sizeof(Code);
      mask |= isThere ? uint32_t{std::numeric_limits<Code>::max()} << (c * kBits) : 0;
    }
  }

  uint32_t at(size_t i) const {
    uint32_t word = 0;
    for (size_t c = 0; c < kCodes; ++c) {
      Code code;
      std::memcpy(&code, codes[c] + i * sizeof(Code), sizeof(Code));
      word |= static_cast<uint32_t>(code) << (c * kBits);
    }
    return word & mask;
  }
};

/// Packs words of bytes by vectors as far as whole vectors go. Returns the number of words.
size_t packByteVectors(const WordOfColumns<uint8_t> &word, size_t count, uint32_t *to) {
  size_t i = 0;
#ifdef __SSE2__
  constexpr size_t kLanes = 16;
  const __m128i mask = _mm_set1_epi32(static_cast<int>(word.mask));
  for (; i + kLanes <= count; i += kLanes) {
    const auto load = [&](size_t c) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i *>(word.codes[c] + i));
    };
    const auto store = [&](size_t words, __m128i value) {
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i + words), _mm_and_si128(value, mask));
    };
    const __m128i c0 = load(0), c1 = load(1), c2 = load(2), c3 = load(3);
    const __m128i low01 = _mm_unpacklo_epi8(c0, c1), high01 = _mm_unpackhi_epi8(c0, c1),
                  low23 = _mm_unpacklo_epi8(c2, c3), high23 = _mm_unpackhi_epi8(c2, c3);
    store(0, _mm_unpacklo_epi16(low01, low23));
    store(4, _mm_unpackhi_epi16(low01, low23));
    store(8, _mm_unpacklo_epi16(high01, high23));
    store(12, _mm_unpackhi_epi16(high01, high23));
  }
#endif
  return i;
}

template <class Code>
void packWords(const LaneKernel &kernel, const CaseBlock &block, const CaseRange &range,
               uint64_t pitch, uint32_t *words) {
  constexpr size_t kCodes = WordOfColumns<Code>::kCodes;
  const std::span<const uint32_t> order = kernel.codeOrder;
  for (size_t first = 0; first < order.size(); first += kCodes, words += pitch) {
    const WordOfColumns<Code> word(block, range.first,
                                   order.subspan(first, std::min(kCodes, order.size() - first)));
    size_t i = 0;
    if constexpr (sizeof(Code) == 1)
      i = packByteVectors(word, range.count, words);
    for (; i < range.count; ++i)
      words[i] = word.at(i);
    std::fill(words + range.count, words + range.room, 0);
  }
}

} // namespace

void packLaneCodes(const LaneKernel &kernel, const CaseBlock &block, const CaseRange &range,
                   uint64_t pitch, uint32_t *words) {
  MPF_CHECK(block.codeBytes() * kernel.codesPerWord == 4 && pitch >= range.room &&
                range.room >= range.count,
            "codes of {} bytes, {} in a word; {} cases in {} places at a pitch of {}",
            block.codeBytes(), kernel.codesPerWord, range.count, range.room, pitch);
  switch (block.codeBytes()) {
  case 1:
    return packWords<uint8_t>(kernel, block, range, pitch, words);
  case 2:
    return packWords<uint16_t>(kernel, block, range, pitch, words);
  default:
    return packWords<uint32_t>(kernel, block, range, pitch, words);
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

/// Returns an entry of a shared table with the plan's scale.
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

MPF_VECTOR_CLONES bool areFinite(const float *numbers, uint32_t count) {
  uint32_t are = 1;
  for (uint32_t i = 0; i < count; ++i)
    are &= uint32_t{std::abs(numbers[i]) <= std::numeric_limits<float>::max()};
  return are != 0;
}

MPF_VECTOR_CLONES bool areFinite(const double *numbers, uint32_t count) {
  uint64_t are = 1;
  for (uint32_t i = 0; i < count; ++i)
    are &= uint64_t{std::abs(numbers[i]) <= std::numeric_limits<double>::max()};
  return are != 0;
}

/// Whether the number is neither 0 nor normal: a share that vanished, or no finite number.
template <class T> bool isFarShare(T number) { return number != 0 && !std::isnormal(number); }

/// Reads the tables. `isLeft`: true for cases with a result that is not finite, or with a share
/// that vanished; stays empty if there is none.
template <class T>
void readTables(const LinearPlan &plan, const LaneProgram &program, const LaneResults<T> &from,
                const CaseRange &range, CaseAnswers &answers, std::vector<char> &isLeft) {
  const T *results = from.results;
  for (size_t t = 0; t < answers.tables.size(); ++t) {
    CaseTable &table = answers.tables[t];
    const auto scale = static_cast<int32_t>(plan.scales[program.outputs[t].access.table]);
    std::fill_n(table.exponents.data() + range.first, range.count, table.normalised ? 0 : scale);
    double *const entries = table.entries.data() + size_t{range.first} * table.size;
    const bool vanishes = mayVanish(program, plan, t, kEntryType<T>);
    for (size_t e = 0; e < table.size; ++e, results += from.pitch) {
      for (uint32_t i = 0; i < range.count; ++i)
        entries[i * table.size + e] = static_cast<double>(results[i]);
      if (!vanishes && areFinite(results, range.count))
        continue;
      isLeft.resize(range.count, 0);
      for (uint32_t i = 0; i < range.count; ++i)
        if (vanishes ? isFarShare(results[i]) : !std::isfinite(results[i]))
          isLeft[i] = 1;
    }
  }
}

/// Adds the exponents of lanes to the scale that all cases share.
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
  const std::vector<uint32_t> fixed = statesByVariable(program.evidence, answers.variables);
  for (size_t v = 0; v < answers.variables; ++v) {
    for (uint32_t i = 0; i < range.count; ++i)
      states[i * answers.variables + v] =
          isDecoded[v] != 0 ? from.states[v * from.pitch + i] : fixed[v];
  }
}

} // namespace

template <class T>
void readLaneResults(const LaneProgram &program, const LinearPlan &plan, const LaneKernel &kernel,
                     const LaneResults<T> &from, const CaseRange &range, CaseAnswers &answers,
                     std::vector<uint32_t> &left) {
  std::vector<char> isLeft;
  readTables(plan, program, from, range, answers, isLeft);
  addExponents(kernel, from, range, answers);
  if (answers.variables != 0)
    readStates(program, from, range, answers);
  for (uint32_t i = 0; i < isLeft.size(); ++i)
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
