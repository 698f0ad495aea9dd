// THE WHOLE COMPILER on one screen: model -> simpler model -> table program -> kernels -> bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/build_program.h"
#include "codegen/simplify/simplify.h"
#include "codegen/specialise/specialise_options.h"

#include <functional>
#include <optional>

namespace mpf {

/// Asked with the bundle for the CPU: the GPU to add kernels for, or none.
using GpuChoice = std::function<std::optional<SpecialiseOptions>(const Bundle &)>;

struct PipelineOptions {
  SimplifyOptions simplify;   ///< nothing is simplified unless values are said to be final
  SimplifyHook afterSimplify; ///< after every pass; may be empty
  PlanOptions plan;           ///< element type, memory bound, order
  bool forcedLog = false;
  GpuChoice gpu; ///< empty: a bundle for the CPU only
  PlanHooks hooks;
};

/// Compiles one query of a verified model. Errors as buildProgram and buildBundle; warnings go to
/// `diagnostics`. Deterministic. Thread-safe for distinct `diagnostics`.
Bundle compileQuery(const Model &model, const Query &query, const PipelineOptions &options,
                    Diagnostics &diagnostics);

/// Throws Error(Usage) for whole numbers in forced log arithmetic.
void requireForm(ElementType type, bool forcedLog);

/// Whose mistake it is when a program makes no sound bundle.
enum class ProgramOrigin {
  Planner, ///< ours: Error(Internal)
  Text,    ///< of whoever edited the plan: Error(BadInput)
};

/// The second half, for a program that was planned already (or read from its text). `answer` is
/// what simplifying `model` left to be undone.
Bundle compileProgram(const Model &model, const TableProgram &program,
                      const PipelineOptions &options,
                      std::optional<PostsolveMap> answer = std::nullopt,
                      ProgramOrigin origin = ProgramOrigin::Planner);

} // namespace mpf
