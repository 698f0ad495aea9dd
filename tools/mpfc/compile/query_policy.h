// The settings and hooks of the pipeline that plans and compiles the queries of a command line.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>

namespace mpf::driver {

/// Called after every search for an order.
using SearchNote = std::function<void(const SearchEffort &)>;

/// If the clock or a signal ended the search, prints how to repeat it.
void noteSearch(const SearchEffort &effort);
/// Returns a note like noteSearch for the first such search only: one cause ends the searches of
/// all engines that are tried for a query.
SearchNote noteFirstSearch();

/// Returns the policy of compilation. --print-after, --print-changed, --time-passes and performance
/// warnings print to stderr, and so does a note on planning that takes 10 s. The first Ctrl-C while
/// a query is planned ends the searches for orders of this query and of all later ones. Throws
/// Error(Usage) for unknown passes.
QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals,
                           SearchNote note = noteSearch);

} // namespace mpf::driver
