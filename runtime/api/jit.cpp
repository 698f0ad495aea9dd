// Text -> bundle in one call: the host program's way to the compiler.
#include "codegen/pipeline.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/check_session.h"
#include "runtime/api/jit_gpu.h"
#include "runtime/api/jit_memory.h"
#include "runtime/api/mpf.h"

namespace mpf {

namespace {

/// All that was reported, as the message of one error.
[[noreturn]] void failWith(const Diagnostics &diagnostics) {
  std::string text = renderDiagnostics(diagnostics);
  while (text.ends_with('\n'))
    text.pop_back();
  throw Error(ErrorKind::BadInput, text);
}

const Query &selectQuery(const Model &model, const std::string &name) {
  if (name.empty() && model.queries.size() == 1)
    return model.queries.front();
  std::string names;
  for (const Query &query : model.queries) {
    if (query.name == name)
      return query;
    names += (names.empty() ? "" : ", ") + query.name;
  }
  if (name.empty())
    fail(ErrorKind::Usage, "the model has {} queries ({}): name the one to compile",
         model.queries.size(), names);
  fail(ErrorKind::Usage, "the model has no query {}; it has {}", name, names);
}

std::optional<ElementType> typeNamed(const std::string &name) {
  const std::optional<ElementType> type = elementTypeNamed(name);
  if (!type && !name.empty())
    fail(ErrorKind::Usage, "unknown element type '{}': f64, f32, u64 or u128", name);
  return type;
}

void checkOptions(const CompileOptions &options) {
  checkDevice(options.device);
  checkExpectedRuns(options.expectedRuns);
  if (options.finalEvidence && !options.finalTables)
    fail(ErrorKind::Usage, "finalEvidence is for programs with finalTables");
}

Program compileModel(const Model &model, const CompileOptions &options) {
  checkOptions(options);
  PipelineOptions pipeline;
  const Query &query = selectQuery(model, options.query);
  pipeline.plan.type = elementTypeOf(query, typeNamed(options.type));
  pipeline.simplify.type = pipeline.plan.type;
  pipeline.plan.maxMemoryBytes =
      options.maxMemoryBytes
          ? *options.maxMemoryBytes
          : machineMemory(options.device, options.gpuArch, runFacts(model, {&query, 1}, 0)).bytes;
  if (!options.maxMemoryBytes)
    pipeline.plan.largerBound = largerMemory(options.device);
  pipeline.plan.keep = options.keepMessages ? KeptMessages::All : KeptMessages::Constant;
  pipeline.forcedLog = options.forcedLog;
  pipeline.simplify.finalTables = options.finalTables;
  pipeline.simplify.finalEvidence = options.finalEvidence;
  AutotuneOptions autotune;
  if (options.autotune == 1)
    fail(ErrorKind::Usage, "autotune: 1 kernel alone is no choice; 0 for none, or more");
  autotune.candidates = options.autotune;
  pipeline.gpu = options.gpuArch.empty()
                     ? chooseGpu(options.device, options.expectedRuns, autotune)
                     : gpuNamed(options.gpuArch, options.expectedRuns, autotune);
  std::unique_ptr<DeviceCosts> chains;
  if (options.device != "cpu" || !options.gpuArch.empty()) {
    const Target target = targetNamed(options.gpuArch.empty() ? kReferenceTarget : options.gpuArch);
    SpecialiseOptions gpu{target, options.expectedRuns};
    if (options.gpuArch.empty() && options.device == "auto")
      gpu.hasGpu = plannerKnowsGpu;
    chains = makeDeviceCosts(gpu, pipeline.plan.type, options.forcedLog);
    pipeline.plan.chains = chains.get();
  }
  Diagnostics warnings; // performance warnings are for the command line
  return Program(std::make_shared<const Bundle>(compileQuery(model, query, pipeline, warnings)));
}

Program compileRead(std::optional<Model> model, Diagnostics &diagnostics,
                    const CompileOptions &options) {
  if (model && options.evidence && !readEvidence(loadText(*options.evidence), *model, diagnostics))
    model.reset();
  if (!model)
    failWith(diagnostics);
  return compileModel(*model, options);
}

} // namespace

Program compileText(std::string_view text, const CompileOptions &options) {
  return namingMemory([] { return "compiling a text"; },
                      [&] {
                        Diagnostics diagnostics;
                        const auto source =
                            std::make_shared<const SourceBuffer>("<text>", std::string(text));
                        return compileRead(readMpf(source, diagnostics), diagnostics, options);
                      });
}

Program compileFile(const std::string &path, const CompileOptions &options) {
  return namingMemory([&] { return "compiling " + path; },
                      [&] {
                        Diagnostics diagnostics;
                        return compileRead(readModelFile(loadText(path), diagnostics), diagnostics,
                                           options);
                      });
}

} // namespace mpf
