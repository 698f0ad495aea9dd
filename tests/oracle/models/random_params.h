// Params for random models: some tables follow from them, and cases set some of them.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <random>
#include <vector>

namespace mpf::oracle {

/// How one entry follows from params, which are numbers from 0 to 1: by a closed form that no
/// evaluator of expressions takes part in.
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
  /// Of a param without a value of its own in a case: a (1 - b), of params in front of it.
  struct Derived {
    uint32_t param = 0, a = 0, b = 0;
  };
  struct Table {
    FactorId factor;
    std::vector<DrawnEntry> entries;
  };
  std::vector<Table> tables;
  std::vector<Derived> derived; ///< by param, ascending

  /// Fails (as GoogleTest does) where weights of a block, which has the params of its cases, are
  /// not what the tables' entries are by definition. `schema` has the tables too.
  void compare(const Model &model, const CaseSchema &schema, const CaseBlock &block) const;
};

/// Adds one to four params to the model, some of them derived from others; a third of the tables
/// that cases do not give follow from them, some of these by one formula. `schema` gets one or more
/// of them as columns.
DrawnParams addRandomParams(std::mt19937_64 &random, Model &model, CaseSchema &schema);

/// Numbers from 0 to 1, with 0, 1 and values that many cases share among them, as sweeps have; some
/// cases keep what the model says.
void setRandomParams(std::mt19937_64 &random, const CaseSchema &schema, CaseBlock &block);

} // namespace mpf::oracle
