// `observe`: hard evidence, soft evidence, and batches of cases.
#pragma once

#include "dsl/model/build/build_factor.h"
#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// `observe wet = yes, rain ~ [0.3, 0.7]`. Reports unknown labels, states out of range, a variable
/// observed twice (hard or soft).
void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl);

/// `observe batch file("cases.csv")`: the reader of ModelFiles says what such a file holds.
void addBatch(BuildContext &context, const ast::ObserveBatchDecl &decl);

/// After all declarations: evidence in the order of the variables; batch columns that are observed
/// for all cases as well.
void finishEvidence(BuildContext &context);

} // namespace mpf
