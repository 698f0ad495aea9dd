// Reports the effects of passes as text for people: programs printed after passes, and times.
#pragma once

#include "codegen/pipeline/pipeline_hooks.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf {

struct PassReport {
  std::vector<std::string> printAfter; ///< names of passes
  bool printChanged = false;           ///< after each pass that changed something
  bool timePasses = false;             ///< one line for each pass, and for the search for orders
  std::function<void(const std::string &)> write; ///< takes whole lines
};

/// Returns the hooks that write the report; none if nothing is asked for. For one thread.
PipelineHooks reportHooks(PassReport report);

} // namespace mpf
