// mpfc: one entry to every stage. Results go to stdout, errors to stderr.
#include "dsl/source/text_error.h"
#include "tools/mpfc/command_line.h"

#include <cstdio>
#include <exception>
#include <fmt/core.h>
#include <new>

using namespace mpf;

int main(int argc, char **argv) {
  try {
    const driver::CommandLine commandLine = driver::parseCommandLine(argc, argv);
    return commandLine.run ? commandLine.run(commandLine.options) : 0;
  } catch (const TextError &error) { // says where by itself
    fmt::print(stderr, "{}\n", error.what());
    return exitCode(error.kind());
  } catch (const Error &error) {
    fmt::print(stderr, "mpfc: error: {}\n", error.what());
    return exitCode(error.kind());
  } catch (const std::bad_alloc &) {
    // Counts and sizes are bounded before allocating, so this is the machine, not the input.
    fmt::print(stderr, "mpfc: error: the machine is out of memory\n");
    return exitCode(ErrorKind::MemoryBound);
  } catch (const std::exception &error) {
    fmt::print(stderr, "mpfc: internal error: {}\n", error.what());
    return exitCode(ErrorKind::Internal);
  }
}
