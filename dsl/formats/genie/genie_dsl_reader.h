// GeNIe DSL -> Model (the older format of GeNIe 1 and SMILE, which aGrUM writes too).
//
//   net weather {
//     node rain { TYPE = CPT; HEADER = { ID = rain; NAME = "Rain"; }; PARENTS = ();
//                 DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.25, 0.75); }; };
//   };
//
// The last parent is fastest, the child fastest of all. TYPE is CPT, TRUTHTABLE (with
// RESULTINGSTATES) or NOISY_MAX (with STRENGTHS). Names may be in quotes and may start with digits,
// and `//` begins a comment. Other blocks are skipped.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. A noisy-max becomes a chain of small tables (genie_table.h). The Model has
/// one query, "marginals". Returns nothing when an error was reported: nodes of other types are
/// refused by name. Memory is as for XDSL. ISO-8859-1 is read with a warning.
std::optional<Model> readGenieDsl(std::shared_ptr<const SourceBuffer> buffer,
                                  Diagnostics &diagnostics, const ModelReadOptions &options = {});

/// Whether the text starts with `net NAME {`, after comments.
bool startsAsGenieDsl(std::string_view text);

} // namespace mpf
