// Adds params to random models: some tables follow from them, and cases set some of them.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <random>
#include <vector>

namespace mpf::oracle {

/// An entry computed from params, which are numbers from 0 to 1. It has a closed form, so that no
/// evaluator of expressions is involved.
struct DrawnEntry {
  enum class Form {
    Constant, ///< base, in all cases
    Times,    ///< base a
    Without,  ///< base (1 - a)
    Sum,      ///< base a + s b, s the state of the last variable
    Choice    ///< a < b ? base : a b
  };
  Form form = Form::Constant;
  double base = 0;
  uint32_t a = 0, b = 0; ///< params
  uint32_t state = 0;    ///< s
};

/// Tables whose entries follow from params, of which some follow from others.
struct DrawnParams {
  /// The formula of a param that cases do not set: a (1 - b), from params before it.
  struct Derived {
    uint32_t param = 0, a = 0, b = 0;
  };
  struct Table {
    FactorId factor;
    std::vector<DrawnEntry> entries;
  };
  std::vector<Table> tables;
  std::vector<Derived> derived; ///< by param, ascending

  /// Fails (as GoogleTest does) if weights of a block, which has the params of its cases, differ
  /// from the tables' entries by definition. `schema` has the tables too.
  void compare(const Model &model, const CaseSchema &schema, const CaseBlock &block) const;
};

/// Adds one to four params to the model, some of them derived from others. A third of the tables
/// that cases do not give follow from them, some of these by one formula. `schema` gets one or more
/// of them as columns.
DrawnParams addRandomParams(std::mt19937_64 &random, Model &model, CaseSchema &schema);

/// Sets params to numbers from 0 to 1. Among them are 0, 1 and values that many cases share, as in
/// sweeps. Some cases keep the model's values.
void setRandomParams(std::mt19937_64 &random, const CaseSchema &schema, CaseBlock &block);

} // namespace mpf::oracle
