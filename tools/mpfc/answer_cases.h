// Answers queries for every case of a list: `observe cases file(...)`, --cases.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/scaled_number.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// One column of the table of answers.
struct CaseColumn {
  std::string name;                 ///< "ln(evidence)", "P(rain=no)", "q(a=0, b=1)"
  std::vector<ScaledNumber> values; ///< one per case; a mantissa that is no number: no answer
};

/// Answers one query of a model with listed cases: for evidence one column of natural logarithms,
/// for P(...) one for each entry of the posterior, for an expression one for each entry of its
/// table. A posterior has no entries in a case of probability zero. The cases are answered in
/// blocks by one compiled program (codegen/cases/case_axis.h). Throws as compiling and running do,
/// and Error(Unsupported) for whole numbers.
std::vector<CaseColumn> answerCases(const Model &model, const Query &query, const Options &options);

/// The table as CSV: a header, then one row per case, in their order; no answer is an empty cell.
std::string casesToCsv(const std::vector<CaseColumn> &columns);

} // namespace mpf::driver
