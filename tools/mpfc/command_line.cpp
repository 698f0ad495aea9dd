#include "tools/mpfc/command_line.h"

#include "dsl/support/error.h"
#include "tools/mpfc/version.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/core.h>

namespace mpf::driver {

namespace {

constexpr const char *kFooter =
    R"(Exit codes: 0 ok, 1 bad input, 2 usage, 3 memory bound cannot be met, 4 time limit,
5 device not available, 6 verification mismatch, 70 internal error.)";

} // namespace

CommandLine parseCommandLine(int argc, char **argv) {
  CommandLine commandLine;
  CLI::App app("mpfc: compiles a probabilistic model and computes its sums, marginals and maxima",
               "mpfc");
  app.footer(kFooter);
  app.set_version_flag("--version", fmt::format("mpfc {}", kVersion));

  try {
    app.parse(argc, argv);
    if (!commandLine.run)
      fmt::print("{}", app.help());
  } catch (const CLI::ParseError &error) {
    // CLI11 uses its own codes above 100; ours are documented: 0 for help, 2 for usage.
    const bool asked = error.get_exit_code() == 0;
    app.exit(error);
    commandLine.run = nullptr;
    commandLine.exitCode = asked ? 0 : exitCode(ErrorKind::Usage);
  }
  return commandLine;
}

} // namespace mpf::driver
