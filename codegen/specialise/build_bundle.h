// Makes a bundle for the CPU from a model and a table program; specialise.h adds GPU kernels. This
// is the compiler's side of the hand-over. It is a separate library (mpf_build_bundle), since the
// bundle itself depends on dsl/support only.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

struct BundleOptions {
  ElementType type = ElementType::F64;
  bool forcedLog = false;
  /// Threads of a CPU that may compute slices side by side; the work arena has room for them as far
  /// as both arenas stay within `mostBytes` (slice_arenas.h).
  unsigned slicesAtOnce = 1;
  uint64_t mostBytes = UINT64_MAX;
};

/// `program` was planned for `model` (codegen/plan/build_program.h). Tables of the model are
/// shared, not copied; factors without values become inputs that the host program binds. The result
/// has passed verifyBundle. Throws Error(MemoryBound) when the tables cannot be laid out in 64
/// bits.
/// `answer`: how to get the answer of the model before it was simplified.
Bundle buildBundle(const Model &model, const TableProgram &program, const BundleOptions &options,
                   std::optional<PostsolveMap> answer = {});

} // namespace mpf
