// GeNIe XDSL -> Model (BayesFusion, "SMILE: programmer's manual", "XDSL file format", as GeNIe 2 to
// 5, pgmpy and pyAgrum write it).
//
//   <smile version="1.0" id="weather"><nodes>
//     <cpt id="rain"><state id="yes" /><state id="no" /><probabilities>0.25
//     0.75</probabilities></cpt> <cpt id="grass">...<parents>rain
//     sprinkler</parents><probabilities>...</probabilities></cpt> <deterministic
//     id="d">...<resultingstates>yes no</resultingstates></deterministic> <noisymax
//     id="n">...<strengths>0 1</strengths><parameters>...</parameters></noisymax>
//   </nodes></smile>
//
// The last parent is fastest, the child fastest of all. Files of aGrUM and pyAgrum (3.3.1 was
// tried) have the FIRST parent fastest: they are known by their mark and read so, with a warning.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads the whole text. A noisy-max becomes a chain of small tables (genie_table.h). The Model has
/// one query, "marginals". Returns nothing when an error was reported: other kinds of nodes and
/// dynamic networks are refused by name. Memory is proportional to the text, except that
/// deterministic nodes and chains may fill 2^24 entries in all.
std::optional<Model> readXdsl(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options = {});

/// Whether the text is XML whose first element is smile.
bool startsAsXdsl(std::string_view text);

} // namespace mpf
