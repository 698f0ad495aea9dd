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

/// Reads the whole text. Variables are named "x0", "x1", ..., factors "f0", "f1", ... In BAYES
/// files the factor of child x2 is "P(x2)", and it is `conditional` when each row sums to 1
/// (dsl/model/row_sums.h). A second table of one child keeps its name "f<i>", so that names are
/// unique. Equal tables share their values. The Model has one query, "evidence" over all factors.
///
/// Warns of rows of a BAYES file whose sum is far from 1; their tables are used as they are. Unless
/// `check` leaves that to the caller, also warns of a BAYES file that is no Bayesian network
/// (check_network.h).
///
/// Nothing when an error was reported; reading goes on after an error where it can, so that one run
/// reports several. Counts are compared with the size of the text before anything is allocated, so
/// memory is proportional to the text. Negative entries are allowed, inf and nan are not.
std::optional<Model> readUai(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check = NetworkCheck::Here);

/// Whether the first word is MARKOV or BAYES.
bool startsAsUai(std::string_view text);

} // namespace mpf
