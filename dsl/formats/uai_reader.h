// .uai -> Model: the text format of the UAI inference competitions (Elidan and Globerson 2010;
// described at uaicompetition.github.io, "file format").
//
//   MARKOV | BAYES            kind; BAYES lists the child last in each scope
//   3                         number of variables
//   2 2 3                     their extents
//   2                         number of factors
//   2 0 1                     per factor: arity, variables
//   2 1 2
//   4  0.1 0.9 0.6 0.4        per factor: number of entries, entries, last variable fastest
//   6  1 2 3 4 5 6
#pragma once

#include "dsl/model/build/check_network.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. Variables are "x0", "x1", ...; factors "f0", "f1", ..., in BAYES files
/// "P(x2)" after the child (the second table of one child keeps "f<i>": names stay unique), and
/// `conditional` when each row sums to 1 as `prob` demands. Equal tables share their values. The
/// one query is "evidence" over all factors.
///
/// Warns of a BAYES file that is no Bayesian network (check_network.h) and of its rows whose sum is
/// far from 1; their tables are factors like any other.
///
/// Nothing when anything was reported as an error; all errors that can be told apart are reported
/// in one go. Counts are held against the size of the text before allocation, so memory stays in
/// proportion to the text. Negative entries are allowed, inf and nan are not.
std::optional<Model> readUai(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check = NetworkCheck::Here);

/// The first word is MARKOV or BAYES.
bool startsAsUai(std::string_view text);

} // namespace mpf
