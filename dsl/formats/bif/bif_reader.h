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
// A `table` with parents lists the child slowest and the last parent fastest. Names may be in
// quotes, commas between names and numbers may be missing, and blocks may come in any order. The
// reader also accepts files of version 0.15 and of programs that write it:
// - names without `|`, separated by blanks, the child first
// - no `network` block
// - text between blocks, with a warning
// - comments directly behind a word
// - states of several words, if commas separate them and their number is that of the type
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. The factor of a block is "P(lung)" over (parents..., child); it is
/// `conditional` when each row sums to 1 (dsl/support/numbers/row_sums.h). A variable with the
/// labels 0, 1, 2, ... gets none. The Model has one query, "marginals".
///
/// Returns nothing when an error was reported. Reading continues after an error, so that one run
/// reports several. Memory: proportional to the text, except that `default` rows may fill 2^24
/// entries in all. Rows that do not sum to 1 follow the rule of dsl/support/numbers/row_sums.h. The
/// reader warns of a cycle and of variables without a probability block (check_network.h), unless
/// `options.check` leaves that to the caller.
std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

/// Whether the first word of the text, after blanks and comments, is `network`, `variable` or
/// `probability`, with which .bif files start. Also true if a comment at the start has no end, so
/// that the reader reports it.
bool startsAsBif(std::string_view text);

} // namespace mpf
