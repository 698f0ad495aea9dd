// `observe`: hard evidence, soft evidence, and lists of cases.
#pragma once

#include "dsl/model/build/build_factor.h"
#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// `observe wet = yes, rain ~ [0.3, 0.7]`. Reports unknown labels, states out of range, a variable
/// observed twice (hard or soft).
void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl);

/// `observe cases file("cases.csv")`: ModelFiles says what the file's header means. Its rows are
/// not read.
void addCases(BuildContext &context, const ast::ObserveCasesDecl &decl);

/// Cuts the tables off that `observe do(x = s)` names, once all factors are there. Reports a
/// variable without a conditional table.
void cutTables(BuildContext &context);

/// After all declarations: gives the model the observations that hold in every case. Reports a
/// variable that is observed there and in the list of cases.
void finishEvidence(BuildContext &context);

} // namespace mpf
