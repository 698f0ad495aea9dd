// The options that name a model, its evidence, and what is asked of it. For declare_options.cpp.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
} // namespace CLI

namespace mpf::driver {

/// MODEL, -x, -D, and evidence: --evidence, --virtual-evid, --observe, --unobserve.
void addInput(CLI::App &command, Options &options);
/// --query.
void addAsked(CLI::App &command, Options &options);
/// --task, --query, --uai-query.
void addQuery(CLI::App &command, Options &options);

} // namespace mpf::driver
