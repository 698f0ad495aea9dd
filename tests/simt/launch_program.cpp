#include "tests/simt/launch_program.h"

#include <fmt/format.h>
#include <vector>

namespace mpf::simt {

std::unique_ptr<Program> makeLaunchProgram(std::string source,
                                           std::span<const LaunchEntry> kernels) {
  std::vector<Program::Entry> entries;
  for (const LaunchEntry &entry : kernels) {
    source += fmt::format(
        "\nextern \"C\" __global__ void test_{0}(const {1} *launch) {{ {0}(*launch); }}\n",
        entry.kernel, entry.argument);
    entries.push_back(
        {fmt::format("test_{}", entry.kernel), {fmt::format("const {} *", entry.argument)}});
  }
  return std::make_unique<Program>(source, entries);
}

} // namespace mpf::simt
