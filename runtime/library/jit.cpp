// Text -> bundle in one call: the host program's way to the compiler.
#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/mpf.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/library/jit_fit.h"
#include "runtime/library/jit_model.h"

#include <utility>

namespace mpf {

namespace {

AutotuneOptions autotuneOf(const CompileOptions &options) {
  if (options.autotune == 1)
    fail(ErrorKind::Usage, "autotune: 1 kernel alone is no choice; 0 for none, or more");
  AutotuneOptions autotune;
  autotune.candidates = options.autotune;
  return autotune;
}

} // namespace

Program compileModel(const Model &model, const CompileOptions &given) {
  const Query &query = onlyQuery(model);
  CompileSettings settings = settingsOf(given);
  completeForMachine(settings, runFacts(model, {&query, 1}, 0));
  settings.gpu = gpuChoiceFor(settings, autotuneOf(given));
  PipelineOptions options = pipelineOptionsFor(settings, elementTypeOf(query, settings.type));
  options.hooks = gpuExpectation(settings);
  const Pipeline pipeline(std::move(options));
  Diagnostics warnings; // performance warnings are for the command line
  return Program(std::make_shared<const Bundle>(pipeline.compile(model, query, warnings)));
}

Program compileText(std::string_view text, const CompileOptions &options) {
  return namingMemory([] { return "compiling a text"; },
                      [&] { return compileModel(fitted(readTextFor(text, options)), options); });
}

Program compileFile(const std::string &path, const CompileOptions &options) {
  return namingMemory([&] { return "compiling " + path; },
                      [&] { return compileModel(fitted(readFileFor(path, options)), options); });
}

} // namespace mpf
