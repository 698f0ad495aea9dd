// mpfc run: the answers, for people on stdout, for programs in -o (UAI) and --json.
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "runtime/api/mpf.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile_queries.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/time_limit.h"
#include "tools/mpfc/uai_result.h"

namespace mpf::driver {

namespace {

/// Entries of each operation that --verify computes a second time.
constexpr size_t kVerifySamples = 16;

/// A host program binds `input` factors; the command line has no values for them.
void requireValues(const Bundle &bundle) {
  for (const BundleInput &input : bundle.inputs)
    if (!input.table)
      fail(ErrorKind::BadInput,
           "factor {} of query {} is declared `input`: its values come from a host program "
           "(runtime/api/mpf.h), or write file(...) or numbers",
           input.factor, bundle.name);
}

std::vector<Result> runAll(std::vector<Bundle> bundles, const Options &options) {
  SessionOptions session;
  session.device = options.device;
  session.threads = options.threads;
  session.verifySamples = options.verify ? kVerifySamples : 0;
  session.profile = options.profile;
  session.forbidCompiling = options.forbidCompiling;
  session.dumpKernels = options.dumpKernels;
  session.overrideKernels = options.overrideKernels;
  std::vector<Result> results;
  for (Bundle &bundle : bundles) {
    const Program program(std::make_shared<const Bundle>(std::move(bundle)));
    results.push_back(Session(program, session).run());
  }
  return results;
}

std::string textOf(const std::vector<Result> &results, const Options &options) {
  PrintOptions print;
  print.profile = options.profile;
  std::string text;
  for (const Result &result : results) {
    if (results.size() > 1)
      text += fmt::format("{}query {}\n", text.empty() ? "" : "\n", result.query);
    text += printResult(result, print);
  }
  return text;
}

/// One object, or a list of them for several queries.
std::string jsonOf(const std::vector<Result> &results) {
  if (results.size() == 1)
    return resultToJson(results.front());
  std::string text = "[\n";
  for (size_t i = 0; i < results.size(); ++i) {
    std::string object = resultToJson(results[i]);
    while (object.ends_with('\n'))
      object.pop_back();
    text += object + (i + 1 < results.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

} // namespace

int runRun(const Options &options) {
  limitTime(options.timeLimitSeconds);
  Options bounded = withMemoryBound(options);
  bounded.forRun = true;
  std::vector<Bundle> bundles = compileQueries(bounded);
  if (!options.output.empty() && bundles.size() != 1)
    fail(ErrorKind::Usage,
         "-o holds one result, there are {} queries: choose with --task or --query-name",
         bundles.size());
  for (const Bundle &bundle : bundles)
    requireValues(bundle);
  const std::vector<Result> results = runAll(std::move(bundles), options);
  if (!options.output.empty())
    writeResult(options, uaiResultText(results.front()));
  const bool jsonOnStdout = options.json == "-";
  if (!options.json.empty() && !jsonOnStdout)
    writeFileAtomically(options.json, jsonOf(results));
  Options toStdout = options;
  toStdout.output.clear();
  if (options.output != "-") // stdout holds one kind of text
    writeResult(toStdout, jsonOnStdout ? jsonOf(results) : textOf(results, options));
  return 0;
}

} // namespace mpf::driver
