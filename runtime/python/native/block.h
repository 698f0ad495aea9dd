// A block of cases that Python fills, with checks of every place and code.
#pragma once

#include "runtime/api/cases.h"

#include <cstdint>
#include <nanobind/nanobind.h>
#include <span>
#include <vector>

namespace mpf::python {

/// Cases of one program. Functions throw Error(Usage) for a place outside of the block and for a
/// code that is no state of the column's variable.
class Block {
public:
  Block(const CaseProgram &program, uint32_t cases)
      : schema_(program.schema()), cases_(program.block(cases)) {}

  const CaseBlock &cases() const { return cases_; }
  CaseBlock &cases() { return cases_; }

  /// Makes it the block of `count` cases from case `first`, whose codes are to be set.
  void start(uint64_t first, uint32_t count);
  /// Checks that cases from `at` exist and that the column's variable has `states` states.
  void requireCells(size_t column, uint32_t at, uint32_t count, uint32_t states) const;
  void requireCode(size_t column, uint32_t code) const;
  void setCode(size_t column, uint32_t i, uint32_t code);
  /// Set one code, or the weights of one likelihood, in every case.
  void fillColumn(size_t column, uint32_t code);
  void fillWeights(size_t likelihood, const std::vector<double> &values);

  /// Sets a param in the cases from 0.
  void fillParam(size_t param, std::span<const double> values);

private:
  CaseSchema schema_;
  CaseBlock cases_;
};

/// Defines the class Block.
void defineBlocks(nanobind::module_ &module);

} // namespace mpf::python
