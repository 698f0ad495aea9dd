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
// In a `table` with parents the child varies slowest and the last parent fastest. Names may be in
// quotes, commas between names and numbers may be missing, and blocks may come in any order. What
// version 0.15 and the programs that write it have is read too: no `|`, names parted by blanks, the
// child first; no `network` block; text between blocks, with a warning; comments directly behind a
// word; states of several words where commas part them and their number is the type's.
#pragma once

#include "dsl/formats/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Reads the whole text. The factor of a block is "P(lung)" over (parents..., child); it is
/// `conditional` when each row sums to 1 (dsl/model/row_sums.h). A variable with the labels 0, 1,
/// 2, ... gets none. The Model has one query, "marginals".
///
/// Nothing when an error was reported; reading goes on after an error, so that one run reports
/// several. Memory: proportional to the text, except that `default` rows may fill 2^24 entries in
/// all. Warns of rows whose sum is far from 1 and, unless `check` leaves that to the caller, of a
/// network with a cycle and of variables without a probability block (check_network.h).
std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

} // namespace mpf
