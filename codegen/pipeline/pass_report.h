// What passes did, as text for people: printed after passes, timed.
#pragma once

#include "codegen/pipeline/pipeline_hooks.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf {

struct PassReport {
  std::vector<std::string> printAfter; ///< names of passes
  bool printChanged = false;           ///< after each pass that changed something
  bool timePasses = false;             ///< one line a pass, and for the search for orders
  std::function<void(const std::string &)> write; ///< takes whole lines
};

/// The hooks that write the report; none where nothing is asked for. For one thread.
PipelineHooks reportHooks(PassReport report);

} // namespace mpf
