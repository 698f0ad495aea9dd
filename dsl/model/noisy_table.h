// The table over all causes of a noisy-max, for queries that the chain of noisy_max.h cannot
// answer: all but sums of products. A maximum over the chain's auxiliary variables would be the
// value of the best chain of events, and not that of their sum.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <optional>

namespace mpf {

/// The most entries that such tables have in all: 128 MiB.
inline constexpr uint64_t kMaxNoisyTableElems = uint64_t{1} << 24;

/// A query, and the model that it is asked of. Variables and factors keep their numbers; auxiliary
/// variables are gone, and the table of a chain is that of its last factor.
struct MultipliedOut {
  Model model;
  Query query;
};

/// What `query` of `model` is answered from; none: from these themselves, as there is no auxiliary
/// variable or the query is a sum of products. Throws Error(Unsupported) where the tables would
/// have more than kMaxNoisyTableElems entries.
std::optional<MultipliedOut> multipliedOut(const Model &model, const Query &query);

/// The model without auxiliary variables, for formats that know no chains: each is one factor, its
/// whole table. Without queries. Throws Error(Unsupported) where the tables would have more than
/// kMaxNoisyTableElems entries.
Model withWholeTables(const Model &model);

} // namespace mpf
