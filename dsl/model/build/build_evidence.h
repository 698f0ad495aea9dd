// `observe`: hard evidence, soft evidence, and lists of cases; conditions of queries.
#pragma once

#include "dsl/model/build/build_factor.h"
#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// `observe wet = yes, rain ~ [0.3, 0.7], x = [0, 1, _], y = file("obs.txt")`. Reports unknown
/// labels, states out of range, a variable observed twice (hard or soft), lists of another length.
void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl);

/// `observe cases file("cases.csv")`: opens the list by ModelFiles::openCases. Its rows are not
/// read.
void addCases(BuildContext &context, const ast::ObserveCasesDecl &decl);

/// Cuts the tables that `observe do(x = s)` names off their parents (cut_table.h). All factors must
/// exist. Reports a variable without a conditional table.
void cutTables(BuildContext &context);

/// Moves the observations that hold in every case into the model; call it after all declarations.
/// Reports a variable that the list of cases observes too.
void finishEvidence(BuildContext &context);

struct Conditions {
  std::vector<Observation> given; ///< of variables that the model does not observe
  std::string text;               ///< " | y = yes, z[2] = 1"; empty: there are none
};

/// Resolves conditions against the model, whose evidence is complete. Returns nothing after
/// reporting soft evidence, do(), a variable that is given twice or that cases set, and a state
/// that contradicts the model.
std::optional<Conditions> resolveConditions(BuildContext &context,
                                            const std::vector<ast::ObserveItem> &items);

} // namespace mpf
