#include "runtime/execute/lanes/check_block.h"

#include "dsl/support/cases/entry_needs.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace mpf {

void checkShape(const CaseSchema &schema, const std::string &query, const CaseBlock &block) {
  if (block.columns() != schema.observed.size())
    fail(ErrorKind::Usage, "the block has {} columns, cases of query {} have {}", block.columns(),
         query, schema.observed.size());
  if (block.codeBytes() != codeBytesFor(schema))
    fail(ErrorKind::Usage, "the block has codes of {} bytes, cases of query {} have codes of {}",
         block.codeBytes(), query, codeBytesFor(schema));
  const size_t weights = schema.weightCount() * block.pitch();
  if (block.weights().size() != weights)
    fail(ErrorKind::Usage, "the block has {} weights, cases of query {} have {} for {} cases",
         block.weights().size(), query, weights, block.pitch());
  const size_t params = schema.params.size() * block.pitch();
  if (block.params().size() != params)
    fail(ErrorKind::Usage, "the block has {} params, cases of query {} set {} for {} cases",
         block.params().size(), query, params, block.pitch());
  if (block.count > block.pitch())
    fail(ErrorKind::Usage, "the block counts {} cases and has room for {}", block.count,
         block.pitch());
}

namespace {

/// Returns the greatest code. The loop has no branches, so that compilers vectorise it.
template <class Code> uint32_t greatestCode(const std::byte *column, uint32_t count) {
  Code greatest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Code code;
    std::memcpy(&code, column + i * sizeof(Code), sizeof(Code));
    greatest = std::max(greatest, code);
  }
  return greatest;
}

uint32_t greatestCode(const CaseBlock &block, size_t column) {
  switch (block.codeBytes()) {
  case 1:
    return greatestCode<uint8_t>(block.column(column), block.count);
  case 2:
    return greatestCode<uint16_t>(block.column(column), block.count);
  default:
    return greatestCode<uint32_t>(block.column(column), block.count);
  }
}

void checkCodes(const ProgramHead &program, const CaseBlock &block) {
  for (size_t column = 0; column < block.columns(); ++column) {
    const CaseVariable &observed = program.schema.observed[column];
    if (greatestCode(block, column) <= observed.extent)
      continue;
    for (uint32_t i = 0; i < block.count; ++i)
      if (const uint32_t code = block.code(column, i); code > observed.extent)
        fail(ErrorKind::Usage,
             "column {} (variable {}), case {}: the code is {}, the greatest is {} (not observed)",
             column, program.variables[observed.variable.index()].name, block.first + i, code,
             observed.extent);
  }
}

/// Returns the first entry of a row of the block's weights that breaks the rule, or null.
const double *firstWrong(const CaseBlock &block, size_t row, const WeightRule &rule) {
  const double *const entries = block.weights().data() + row * block.pitch();
  const double *const end = entries + block.count;
  constexpr double kMost = std::numeric_limits<double>::max();
  const double least = rule.nonNegative ? 0 : -kMost;
  const auto isEntry = [least](double entry) { return entry >= least && entry <= kMost; };
  const auto isWhole = [&](double entry) { return isIntegerBelow(entry, rule.wholeBits); };
  const double *const wrong = rule.wholeBits == 0 ? std::find_if_not(entries, end, isEntry)
                                                  : std::find_if_not(entries, end, isWhole);
  return wrong == end ? nullptr : wrong;
}

/// Returns the first case whose weights, from row `row` on, are all zero, or the block's count.
/// Weights are not negative. Cases are adjacent in memory, so it walks the states of a few cases at
/// a time.
uint32_t firstAllZero(const CaseBlock &block, size_t row, uint64_t states) {
  std::array<double, 64> most;
  for (uint32_t first = 0; first < block.count; first += most.size()) {
    const auto cases = std::min<uint32_t>(most.size(), block.count - first);
    most.fill(0);
    for (uint64_t state = 0; state < states; ++state) {
      const double *const weights = block.weights().data() + (row + state) * block.pitch() + first;
      for (uint32_t i = 0; i < cases; ++i)
        most[i] = std::max(most[i], weights[i]);
    }
    const double *const begin = most.data(), *const end = begin + cases;
    if (const double *const zero = std::find(begin, end, 0.0); zero != end)
      return first + static_cast<uint32_t>(zero - begin);
  }
  return block.count;
}

void checkWeights(std::span<const WeightRule> rules, const CaseBlock &block) {
  size_t row = 0;
  for (const WeightRule &rule : rules) {
    const size_t firstRow = row;
    for (uint64_t entry = 0; entry < rule.sizeElems; ++entry, ++row)
      if (const double *const wrong = firstWrong(block, row, rule))
        fail(ErrorKind::Usage, "{}, {} {}, case {}: {} is not {}", rule.name,
             rule.isLikelihood ? "state" : "entry", entry,
             block.first + static_cast<uint64_t>(wrong - block.weights().data()) -
                 row * block.pitch(),
             *wrong, entryRuleText(rule.nonNegative, rule.wholeBits));
    if (!rule.isLikelihood)
      continue;
    if (const uint32_t i = firstAllZero(block, firstRow, rule.sizeElems); i != block.count)
      fail(ErrorKind::Usage, "{}, case {}: all weights are zero", rule.name, block.first + i);
  }
}

} // namespace

std::vector<WeightRule> weightRulesOf(const ProgramHead &program) {
  std::vector<WeightRule> rules;
  for (const CaseVariable &likelihood : program.schema.likelihoods)
    rules.push_back(
        {"likelihood of variable " + program.variables[likelihood.variable.index()].name,
         likelihood.extent, true, true, 0});
  for (const VaryingTable &table : program.schema.tables)
    rules.push_back({fmt::format("table {} of the cases", &table - program.schema.tables.data()),
                     table.sizeElems, false, table.nonNegative, table.wholeBits});
  return rules;
}

void checkBlock(const ProgramHead &program, std::span<const WeightRule> rules,
                const CaseBlock &block) {
  checkShape(program.schema, program.name, block);
  checkCodes(program, block);
  checkWeights(rules, block);
}

} // namespace mpf
