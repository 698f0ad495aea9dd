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
//
// `#` begins a comment, also above the first word. Some programs write BAYES tables in other orders
// (uai_table_order.h). The file does not name its order; the reader warns if it looks like another.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. Variables are named "x0", "x1", ..., factors "f0", "f1", ... In BAYES
/// files the factor of child x2 is "P(x2)", and it is `conditional` when each row sums to 1
/// (dsl/support/numbers/row_sums.h). A second table of one child keeps its name "f<i>", so that
/// names are unique. Equal tables share their values. The Model has one query, "evidence" over all
/// factors.
///
/// Rows of a BAYES file that do not sum to 1 follow a common rule (row_sums.h). A row whose sum is
/// far from 1 is read with a warning: published files use the kind BAYES even after evidence was
/// multiplied in. Numbers behind the tables cause a warning, or an error if they form a further
/// table. The reader warns of a BAYES file that is no Bayesian network (check_network.h), unless
/// `options.check` leaves that to the caller.
///
/// Returns nothing when an error was reported. Reading continues after most errors, so that one run
/// reports several. Counts are compared with the size of the text before anything is allocated, so
/// memory is proportional to the text. Negative entries are allowed, inf and nan are not.
std::optional<Model> readUai(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

/// Whether the first word, after blanks and comments, is MARKOV or BAYES.
bool startsAsUai(std::string_view text);

} // namespace mpf
