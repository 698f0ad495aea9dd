#include "runtime/execute/lanes/check_block.h"

#include "dsl/support/cases/entry_needs.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <cmath>
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

/// A loop without branches, so that compilers take vectors for it.
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

void checkCodes(const LaneProgram &program, const CaseBlock &block) {
  for (size_t column = 0; column < block.columns(); ++column) {
    const CaseVariable &observed = program.schema.observed[column];
    if (greatestCode(block, column) <= observed.extent)
      continue;
    for (uint32_t i = 0; i < block.count; ++i)
      if (const uint32_t code = block.code(column, i); code > observed.extent)
        fail(ErrorKind::Usage,
             "column {} (variable {}), case {}: the code is {}, the greatest is {} (not observed)",
             column, program.variables[observed.variable.index()].name, i, code, observed.extent);
  }
}

bool isEntry(const VaryingTable &table, double entry) {
  if (table.wholeBits != 0)
    return isIntegerBelow(entry, table.wholeBits);
  return std::isfinite(entry) && (entry >= 0 || !table.nonNegative);
}

bool isWeight(double weight) { return weight >= 0 && weight <= std::numeric_limits<double>::max(); }

void checkWeights(const LaneProgram &program, const CaseBlock &block) {
  size_t row = 0;
  for (const CaseVariable &likelihood : program.schema.likelihoods)
    for (uint32_t state = 0; state < likelihood.extent; ++state, ++row) {
      const double *const weights = block.weights().data() + row * block.pitch();
      const double *const wrong = std::find_if_not(weights, weights + block.count, isWeight);
      if (wrong != weights + block.count)
        fail(ErrorKind::Usage,
             "likelihood of variable {}, state {}, case {}: the weight is {}, not a finite number "
             "of at least 0",
             program.variables[likelihood.variable.index()].name, state, wrong - weights, *wrong);
    }
  for (const VaryingTable &table : program.schema.tables)
    for (uint64_t entry = 0; entry < table.sizeElems; ++entry, ++row) {
      const double *const entries = block.weights().data() + row * block.pitch();
      const double *const wrong = std::find_if_not(
          entries, entries + block.count, [&table](double value) { return isEntry(table, value); });
      if (wrong != entries + block.count)
        fail(ErrorKind::Usage, "table {} of the cases, entry {}, case {}: {} is not {}",
             &table - program.schema.tables.data(), entry, wrong - entries, *wrong,
             entryRuleText(table.nonNegative, table.wholeBits));
    }
}

} // namespace

void checkBlock(const LaneProgram &program, const CaseBlock &block) {
  checkShape(program.schema, program.name, block);
  checkCodes(program, block);
  checkWeights(program, block);
}

} // namespace mpf
