#include "runtime/simt/simt_check.h"

#include "runtime/simt/grid_runner.h"

#include <fmt/core.h>
#include <string_view>

namespace mpf {

extern const std::string_view kSimtDevice; ///< the text of simt_hooks.h and simt_device.cuh

namespace simt {

namespace {

BlockRunner &at(void *runner) { return static_cast<GridRunner *>(runner)->running(); }

void *accessHook(void *runner, unsigned site, const void *address, unsigned bytes, int kind) {
  return at(runner).access(site, address, bytes, kind);
}
void barrierHook(void *runner, int line) { at(runner).barrier(line); }
void endlessHook(void *runner) { at(runner).stop(); }
void fenceHook(void *runner) { at(runner).fence(); }
void awaitHook(void *runner, const unsigned *counter, unsigned count) {
  at(runner).await(counter, count);
}
unsigned long long collectiveHook(void *runner, int kind, unsigned mask, unsigned long long value,
                                  unsigned source) {
  return at(runner).collective(kind, mask, value, source);
}
void copyAsyncHook(void *runner, unsigned toSite, void *to, unsigned fromSite, const void *from,
                   unsigned bytes, int inside) {
  at(runner).copyAsync(toSite, to, fromSite, from, bytes, inside != 0);
}
void copyCommitHook(void *runner) { at(runner).copyCommit(); }
void gridBeginHook(void *runner, int mayStore) { at(runner).overlap().begin(mayStore != 0); }
void gridWaitHook(void *runner) { at(runner).overlap().overlaps = false; }
void copyWaitHook(void *runner, unsigned groupsLeft) { at(runner).copyWait(groupsLeft); }
void *dynamicSharedHook(void *runner) { return at(runner).shared().dynamicArrays(); }
void *staticSharedHook(void *runner, unsigned id, unsigned long long bytes) {
  return at(runner).shared().staticArray(id, bytes);
}

/// Emits a function for each kernel that takes its arguments as an array of pointers to their
/// values.
std::string trampolines(const std::vector<Program::Entry> &kernels) {
  std::string text;
  for (const Program::Entry &kernel : kernels) {
    text +=
        fmt::format("\nextern \"C\" void simt_enter_{0}(void **arguments) {{\n  {0}(", kernel.name);
    for (size_t i = 0; i < kernel.parameters.size(); ++i)
      text += fmt::format("{}*static_cast<{} *>(arguments[{}])", i == 0 ? "" : ", ",
                          kernel.parameters[i], i);
    text += ");\n}\n";
  }
  return text;
}

} // namespace

Program::Program(const std::string &source, const std::vector<Entry> &kernels)
    : library_(fmt::format("{}\n#line 1 \"kernel.cu\"\n{}{}", kSimtDevice, source,
                           trampolines(kernels))),
      overlaps_(source.find("\n  MPF_GRID_BEGIN(") != source.npos) {}

Report Program::run(const std::string &kernel, const Launch &launch, std::span<Buffer> buffers,
                    std::span<const Argument> arguments) {
  Report report;
  Memory memory(launch, buffers, report);
  GridRunner runner(launch, memory, report, overlaps_);
  const SimtHooks hooks = {&runner,        &runner.current(), &runner.steps(),   endlessHook,
                           accessHook,     barrierHook,       fenceHook,         awaitHook,
                           collectiveHook, copyAsyncHook,     copyCommitHook,    copyWaitHook,
                           gridBeginHook,  gridWaitHook,      dynamicSharedHook, staticSharedHook};
  library_.function<void(const SimtHooks *)>("simtBind")(&hooks);
  const auto enter = library_.function<void(void **)>("simt_enter_" + kernel);

  std::vector<void *> pointers(arguments.size());
  std::vector<int> numbers(arguments.size());
  std::vector<void *> values(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    numbers[i] = arguments[i].value;
    if (arguments[i].pointer)
      pointers[i] = memory.bufferAddress(static_cast<size_t>(arguments[i].value));
    values[i] = arguments[i].pointer ? static_cast<void *>(&pointers[i]) : &numbers[i];
  }
  runner.run([&] { enter(values.data()); });
  memory.copyBack(buffers);
  return report;
}

} // namespace simt

} // namespace mpf
