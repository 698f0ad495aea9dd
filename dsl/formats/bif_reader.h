// .bif -> Model: the Interchange Format for Bayesian networks (Cozman, "The Interchange Format for
// Bayesian Networks", 1998, version 0.15), as the repository of bnlearn and JavaBayes write it.
//
//   network asia { }
//   variable smoke { type discrete [ 2 ] { yes, no }; }
//   variable lung { type discrete [ 2 ] { yes, no }; property "ignored"; }
//   probability ( smoke ) { table 0.5, 0.5; }
//   probability ( lung | smoke ) {
//     (yes) 0.1, 0.9;     // the states of the parents, then a number for each of the child
//     default 0.01, 0.99; // rows that are not listed
//   }
//
// A `table` with parents lists the child slowest and the last parent fastest. Names may stand in
// quotes, commas between names and numbers may be left out, blocks may come in any order.
#pragma once

#include "dsl/model/build/check_network.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Reads the whole text. Factors are "P(lung)" over (parents..., child), `conditional` when each
/// row sums to 1 as `prob` demands; states 0, 1, 2, ... need no labels. The one query is
/// "marginals".
///
/// Nothing when anything was reported as an error; all errors that can be told apart are reported
/// in one go. Memory stays in proportion to the text, but for `default` rows, which may fill 2^24
/// entries in all. Warns of rows whose sum is far from 1, of a network with a cycle and of
/// variables without a probability block (check_network.h).
std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check = NetworkCheck::Here);

} // namespace mpf
