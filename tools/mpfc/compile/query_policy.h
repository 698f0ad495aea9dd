// How the queries of a command line are planned and compiled: the settings and hooks of their
// pipeline.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>

namespace mpf::driver {

/// Is told of every search for an order.
using SearchNote = std::function<void(const SearchEffort &)>;

/// Says of a search that the clock or a signal ended how to repeat it.
void noteSearch(const SearchEffort &effort);
/// Says it of the first such search only: what is asked for one query, of engines in turn, is
/// ended by one cause.
SearchNote noteFirstSearch();

/// The policy of compilation. --print-after, --print-changed, --time-passes and performance
/// warnings print to stderr. The first Ctrl-C while a query is planned ends the searches for
/// orders, of this query and of all later ones. Throws Error(Usage) for unknown passes.
QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals,
                           SearchNote note = noteSearch);

} // namespace mpf::driver
