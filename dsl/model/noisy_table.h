// Makes the table over all causes of a noisy-max, for queries that are no sums of products. The
// chain of noisy_max.h cannot answer these: a maximum over its auxiliary variables would give the
// best chain of events instead of their sum.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <optional>

namespace mpf {

/// The most entries of all such tables of a query: 128 MiB.
inline constexpr uint64_t kMaxNoisyTableElems = uint64_t{1} << 24;

/// A query, and its model without auxiliary variables. Variables and factors keep their numbers.
/// The last factor of a chain has the table over all causes.
struct MultipliedOut {
  Model model;
  Query query;
};

/// Returns the model and query from which to answer `query` of `model`. Returns nothing if these
/// two suffice: there is no auxiliary variable, or the query is a sum of products. Throws
/// Error(Unsupported) if the tables would have more than kMaxNoisyTableElems entries.
std::optional<MultipliedOut> multipliedOut(const Model &model, const Query &query);

/// The model without auxiliary variables, for formats that know no chains: each is one factor, its
/// whole table. Without queries. Throws Error(Unsupported) where the tables would have more than
/// kMaxNoisyTableElems entries.
Model withWholeTables(const Model &model);

} // namespace mpf
