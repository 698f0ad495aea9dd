// Model + query -> figures about the network that is asked about.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Linear in the entries and scopes of the query's factors, but for the pairs of variables: scopes
/// of more than 64 variables count as stars, which bounds them.
NetworkFacts networkFacts(const Model &model, const Query &query, ElementType type);

} // namespace mpf
