// PROGRAM HEAD: what a program of any form says about itself, and the parts of answers that all
// forms share. Its body follows in the struct of the form: table programs are bundles (bundle.h),
// lane programs answer lists of cases (lanes/lane_program.h). A file of a program begins with its
// head (print_head.h). Depends on dsl/support only.
//
// Some parts are alike in both forms and still belong to the bodies:
// - the map that restores a simplified model (postsolve_map.h): lanes undo simplification while
//   they are built;
// - inputs of a run: a table program has one arena table for each (BundleInput), lanes share the
//   values of all cases (LaneValues);
// - accesses: slices move those of a table program, and fixed states those of lanes.
#pragma once

#include "dsl/support/cases/case_schema.h"
#include "dsl/support/cases/formula_set.h"
#include "dsl/support/evidence.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/semiring.h"

#include <cstdint>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

struct HeadVariable {
  std::string name;
  uint32_t extent = 0;             ///< number of states
  std::vector<std::string> labels; ///< one per state, or empty
  bool auxiliary = false;          ///< answers leave it out (Variable::auxiliary)
  bool unasked = false;            ///< answers leave its posterior out (Variable::unasked)

  /// Whether answers to marginals have its posterior, if it is not observed.
  bool hasPosterior() const { return !auxiliary && !unasked; }
};

/// Returns the fault of a variable's labels; empty if they are sound.
inline std::string labelsFault(const HeadVariable &variable) {
  if (!variable.labels.empty() && variable.labels.size() != variable.extent)
    return fmt::format("variable {} has {} labels for {} states", variable.name,
                       variable.labels.size(), variable.extent);
  return {};
}

/// A factor whose entries each case gives.
struct CaseInput {
  std::string name;
  std::vector<VarId> scope;
  bool conditional = false; ///< rows over the last variable sum to 1 in every case
  /// Entries for cases that give none; null if every case must give its entries.
  std::shared_ptr<const std::vector<double>> defaults;
};

/// A table of the answer.
struct HeadOutput {
  std::string name;
  std::vector<VarId> scope; ///< as asked for
  bool normalised = false;  ///< divided by the sum of its entries: a posterior
};

/// One step of decoding an assignment, in list order. The product of `tables` has a value for each
/// state of `variable`; QueryTraits::decoding chooses one of the states. Each `Read` names a table
/// of the body.
template <class Read> struct DecodingStep {
  using Table = Read;
  VarId variable;
  std::vector<Table> tables;
};

struct ProgramHead {
  std::string name; ///< the query
  QueryKind kind = QueryKind::Evidence;
  ElementType type = ElementType::F64; ///< of all tables; a lane program has F32 or F64
  std::vector<HeadVariable> variables; ///< with the numbers of the model's
  /// The findings that hold in every case. A session of a table program may change the states of
  /// those that are not fixed; a lane program has fixed ones only.
  Evidence evidence;
  CaseSchema schema; ///< what a case sets; a program of a single case has no columns
  /// The inputs that the first of schema.tables are, which no formula computes. A caller that has
  /// the model may leave some out.
  std::vector<CaseInput> caseInputs;
  /// The formulas of the last of schema.tables, so that a file needs no model. A caller that has
  /// the model may leave them out.
  FormulaSet formulas;
};

/// Returns the columns that a case gives: the schema without the tables that formulas compute.
inline CaseSchema givenSchema(const ProgramHead &head) {
  CaseSchema given = head.schema;
  given.tables.resize(given.tables.size() - head.formulas.tables.size());
  return given;
}

} // namespace mpf
