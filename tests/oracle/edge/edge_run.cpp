#include "tests/oracle/edge/edge_run.h"

#include "codegen/bundle/bundle.h"
#include "tests/oracle/edge/edge_compile.h"
#include "tests/oracle/edge/edge_judge.h"
#include "tests/oracle/edge/edge_refusals.h"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <limits>

namespace mpf::oracle {

namespace {

/// Sets the states and values of a run. A factor that the query does not use is no input of the
/// program.
void tell(const EdgeCase &edge, size_t run, const Program &program, Session &session) {
  const Model &model = edge.modelOf(run);
  if (run > 0)
    for (const Observation &seen : model.evidence.observations())
      session.observe(model.variable(seen.variable).name, seen.state);
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const Factor &factor = model.factors[i];
    const auto &inputs = program.bundle().inputs;
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const BundleInput &input) {
      return !input.raw && input.factor == factor.name;
    });
    const bool changed = run > 0 && *factor.values != *edge.modelOf(run - 1).factors[i].values;
    if (known && (edge.input[i] || changed))
      session.bind(factor.name, *factor.values);
  }
}

/// Returns the first line without digits, which would make every message different.
std::string withoutDigits(std::string_view message) {
  std::string text;
  for (const char c : message.substr(0, message.find('\n')))
    if (c < '0' || c > '9')
      text += c;
    else if (text.empty() || text.back() != '#')
      text += '#';
  return text;
}

EdgeVerdict refusal(const EdgeCase &edge, const Error &error) {
  const std::string message = error.what();
  const bool ownBundle = message.starts_with("bundle:");
  if (const std::string_view reason = legitimateRefusal(edge, error.kind(), message);
      !reason.empty() && !ownBundle)
    return {EdgeOutcome::Refused, std::string(reason), {}};
  if (error.kind() == ErrorKind::Verification) // no two of them have the same numbers
    return {EdgeOutcome::Wrong, message, "the runtime's own verification refuses it"};
  const bool internal = ownBundle || error.kind() == ErrorKind::Internal;
  return {internal ? EdgeOutcome::Internal : EdgeOutcome::Wrong, message, withoutDigits(message),
          true};
}

EdgeVerdict runs(const EdgeCase &edge, const std::vector<ExactAnswer> &wanted) {
  const Program program = compileCase(edge);
  SessionOptions options;
  options.device = edge.options.gpu ? "gpu" : "cpu";
  options.threads = edge.options.threads;
  options.verifySamples = edge.options.verifySamples;
  // Models of this size repay no C++ compiler.
  options.expectedRuns = edge.options.compiled ? std::numeric_limits<double>::infinity() : 0;
  Session session(program, options);
  EdgeVerdict verdict;
  for (size_t run = 0; run < edge.runs(); ++run) {
    tell(edge, run, program, session);
    const Judgement judgement = judge(edge, run, wanted[run], session.run());
    verdict.skippedEntries += judgement.skippedEntries;
    if (judgement.fault.empty())
      continue;
    verdict.outcome = judgement.isNan ? EdgeOutcome::NotANumber : EdgeOutcome::Wrong;
    verdict.text =
        edge.runs() > 1 ? fmt::format("run {}: {}", run + 1, judgement.fault) : judgement.fault;
    verdict.category = judgement.category;
    return verdict;
  }
  return verdict;
}

} // namespace

std::vector<ExactAnswer> exactAnswers(const EdgeCase &edge) {
  std::vector<ExactAnswer> answers;
  for (size_t run = 0; run < edge.runs(); ++run)
    answers.push_back(exactBruteForce(edge.modelOf(run), edge.query));
  return answers;
}

EdgeVerdict runCase(const EdgeCase &edge, const std::vector<ExactAnswer> &wanted) {
  try {
    return runs(edge, wanted);
  } catch (const Error &error) {
    return refusal(edge, error);
  } catch (const std::exception &error) {
    return {EdgeOutcome::Internal, error.what(), withoutDigits(error.what()), true};
  }
}

} // namespace mpf::oracle
