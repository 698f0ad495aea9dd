// Hugin NET -> Model ("The Hugin C API", chapter "The NET language", 8.9; as Hugin, pgmpy and
// pyAgrum write it).
//
//   net { node_size = (80 40); }                     // or: class NAME { all that follows }
//   node rain { states = ("yes" "no"); }
//   potential (grass | rain sprinkler) { data = (((1 0)(0.9 0.1)) ((0.75 0.25)(0 1))); }
//
// The last parent is fastest, the child fastest of all. Parentheses in `data` group rows and may be
// missing; those inside hold rows, and rows for each state of a parent. `%` begins a comment. A
// potential without data is uniform. Rows may be counts: a row whose sum is more than 1e-5 off 1 is
// divided by it, as Hugin does. Other attributes are skipped.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Rows that are nearer to 1 have printed digits that are rounded; others are counts.
inline constexpr double kNetRowTolerance = 1e-5;

/// Reads the whole text. The Model has one query, "marginals". Returns nothing when an error was
/// reported: nodes other than discrete chance nodes, instances of classes, model_nodes, model_data
/// and potentials of several variables are refused by name. Memory is proportional to the text,
/// except that potentials without data may fill 2^24 entries in all. ISO-8859-1 is read with a
/// warning.
std::optional<Model> readNet(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options = {});

/// Whether the text starts with `net {` or `class NAME {`, after comments.
bool startsAsNet(std::string_view text);

} // namespace mpf
