// A host program that does with the library what its arguments select, and prints the answer. It
// repeats an attempt that fails: after an exception everything is as it was before the call.
#include "runtime/api/cases.h"
#include "runtime/api/session.h"

#include <cstdio>
#include <functional>
#include <new>
#include <string_view>

namespace {

constexpr const char *kModel = R"(
  var rain, wet : {no, yes}
  var z : 3
  factor g(rain, z) = input
  prob P(rain) = [0.8, 0.2]
  prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
  observe wet = yes
  query evidence
)";
constexpr double kValues[] = {1, 2, 3, 4, 5, 6};

mpf::Program compile() {
  mpf::CompileOptions options;
  options.device = "cpu";
  options.maxMemoryBytes = 1 << 20;
  return mpf::compileText(kModel, options);
}

mpf::SessionOptions twoThreads() {
  mpf::SessionOptions options;
  options.device = "cpu";
  options.threads = 2;
  return options;
}

double run(const mpf::Program &program) {
  mpf::Session session(program, twoThreads());
  session.bind("g", kValues);
  session.run();
  session.observe("wet", "no");
  return session.run().tables.front().at(0).log10();
}

mpf::CaseProgram compileCases() {
  mpf::CompileOptions options;
  options.maxMemoryBytes = 1 << 20;
  return mpf::compileCasesText(kModel, {.observable = {"rain"}}, options);
}

/// Returns the sum over two cases.
double runCases(const mpf::CaseProgram &program) {
  mpf::CaseSession session(program, twoThreads());
  session.bind("g", kValues);
  mpf::CaseBlock block = program.block(2);
  program.observe(block, 0, "rain", "yes");
  block.count = 2;
  mpf::CaseAnswers answers;
  session.run(block, answers);
  const mpf::CaseTable &evidence = answers.tables.front();
  return evidence.at(0).log10() + evidence.at(1).log10();
}

/// Returns the exit code of the failure; 0 if there was none.
int attempt(const std::function<void()> &action) {
  try {
    action();
    return 0;
  } catch (const mpf::Error &error) {
    std::fprintf(stderr, "host: %s\n", error.what());
    return mpf::exitCode(error.kind());
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "host: no memory\n");
    return mpf::exitCode(mpf::ErrorKind::MemoryBound);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const std::string_view what = argv[1];
  const char *path = argv[2];
  const auto action = [&] {
    if (what == "save")
      compile().save(path);
    else if (what == "save-cases")
      compileCases().save(path);
    else if (what == "load-cases" || what == "cases")
      std::printf("%.12g\n", runCases(what == "cases" ? compileCases() : mpf::loadCases(path)));
    else
      std::printf("%.12g\n", run(what == "load" ? mpf::loadProgram(path) : compile()));
  };
  if (attempt(action) != 0)
    if (const int code = attempt(action); code != 0)
      return code;
  if (std::fflush(stdout) == 0)
    return 0;
  std::perror("host: stdout");
  return 1;
}
