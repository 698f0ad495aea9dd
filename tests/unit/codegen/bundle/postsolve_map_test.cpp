// The postsolve map of a bundle: stored and read back; one that does not fit is refused by its
// rule.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/bundle/verify_bundle.h"
#include "dsl/support/error.h"
#include "tests/oracle/bundle_builder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// The posterior of x, which had five states; y is a copy of x.
Bundle sampleAnswer() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(1);
  const BufferId f = builder.input({x}, {1, 2, 3});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {}));
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {x}), true);
  Bundle bundle = builder.finish();
  bundle.kind = QueryKind::Marginals;
  PostsolveMap answer;
  answer.scale.factor = {1.25, -2000};
  answer.variables = {{"x", 5, {}}, {"y", 2, {}}};
  AnswerStep states;
  states.variable = x;
  states.newState = {0, AnswerStep::kNoState, 1, 1, 2};
  states.share = {1, 0, 0.25, 0.75, 1};
  AnswerStep copy;
  copy.variable = y;
  copy.newState = {0, 0};
  copy.source = x;
  copy.stateOf = {0, 1, 1};
  answer.steps = {states, copy};
  bundle.answer = answer;
  return bundle;
}

TEST(PostsolveMap, IsReadBackAsWritten) {
  const std::string file = programBytes(sampleAnswer());
  const Bundle read = parseAs<Bundle>(file);
  EXPECT_EQ(programBytes(read), file);
  ASSERT_TRUE(read.answer);
  EXPECT_EQ(read.answer->scale.factor.exponent, -2000);
  EXPECT_EQ(read.answer->steps[0].newState, sampleAnswer().answer->steps[0].newState);
  EXPECT_EQ(read.answer->steps[1].stateOf, (std::vector<uint32_t>{0, 1, 1}));
}

/// The posterior of y for each state of x, which is held and unasked.
Bundle heldAnswer() {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3), y = builder.variable(2);
  const BufferId f = builder.input({x, y}, {1, 2, 3, 4, 5, 6});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {x}));
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {x, y}), true);
  Bundle bundle = builder.finish();
  bundle.kind = QueryKind::Marginals;
  bundle.variables[x.index()].unasked = true;
  PostsolveMap answer;
  answer.variables = {{"x", 3, {}}, {"y", 2, {}}};
  bundle.answer = answer;
  return bundle;
}

TEST(PostsolveMap, RestoresHeldVariablesThatNothingAsksFor) {
  Bundle bundle = heldAnswer();
  EXPECT_NO_THROW(parseAs<Bundle>(programBytes(bundle)));
  bundle.answer->variables[0].extent = 5;
  try {
    parseAs<Bundle>(programBytes(bundle));
    FAIL() << "nothing is reported";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("variable x comes back with 3 of 5 states"),
              std::string::npos)
        << error.what();
  }
}

struct Broken {
  const char *message;
  void (*change)(Bundle &);
};

TEST(PostsolveMap, NamesTheBrokenRule) {
  const std::vector<Broken> list = {
      {"its scale is inf * 2^-2000", [](Bundle &b) { b.answer->scale.factor.mantissa = 1 / 0.0; }},
      {"its scale is 2 * 2^-2000", [](Bundle &b) { b.answer->scale.factor.mantissa = 2; }},
      {"its scale is 1.25 * 2^9223372036854775807",
       [](Bundle &b) { b.answer->scale.factor.exponent = INT64_MAX; }},
      {"its offset is 1e+300", [](Bundle &b) { b.answer->scale.offset = 1e300; }},
      {"its offset is -inf", [](Bundle &b) { b.answer->scale.offset = -1 / 0.0; }},
      {"its offset is nan", [](Bundle &b) { b.answer->scale.offset = std::nan(""); }},
      {"1 variables, the bundle has 2", [](Bundle &b) { b.answer->variables.pop_back(); }},
      {"step 0 maps to state 3 of 3", [](Bundle &b) { b.answer->steps[0].newState[0] = 3; }},
      {"step 0 has 1 shares for 5 states", [](Bundle &b) { b.answer->steps[0].share = {1}; }},
      {"step 0 needs a posterior of variable 7",
       [](Bundle &b) { b.answer->steps[0].variable = VarId{7u}; }},
      {"step 1 takes its state from variable 1",
       [](Bundle &b) { b.answer->steps[1].source = VarId{1u}; }},
      {"step 1 knows 2 states of a source that has 3",
       [](Bundle &b) { b.answer->steps[1].stateOf.pop_back(); }},
      {"step 1 gives state 2 of 2", [](Bundle &b) { b.answer->steps[1].stateOf[0] = 2; }},
      {"variable x comes back with 5 of 6 states",
       [](Bundle &b) { b.answer->variables[0].extent = 6; }},
      {"variable 0 has no posterior",
       [](Bundle &b) {
         b.answer->steps.clear();
         b.answer->variables = {{"x", 3, {}}, {"y", 1, {}}};
         b.outputs.pop_back();
       }},
      {"step 0 has a table without its variable",
       [](Bundle &b) {
         b.answer->steps[0].table = std::make_shared<const std::vector<double>>(1, 1.0);
       }},
      {"variable 'y' is observed in state 2, it has 2 states",
       [](Bundle &b) {
         b.answer->evidence.add({{VarId(1), 2}});
       }},
  };
  for (const Broken &broken : list) {
    Bundle bundle = sampleAnswer();
    broken.change(bundle);
    try {
      verifyBundle(bundle);
      ADD_FAILURE() << "accepted: " << broken.message;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_NE(std::string(error.what()).find(broken.message), std::string::npos) << error.what();
    }
  }
}

/// Two small axes may come back as a table that no memory holds.
TEST(PostsolveMap, BoundsWhatComesBack) {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(2), y = builder.variable(2);
  const BufferId f = builder.input({x, y}, {1, 2, 3, 4});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {x, y}));
  Bundle bundle = builder.finish();
  bundle.kind = QueryKind::Expression;
  constexpr uint32_t kStates = 20000;
  PostsolveMap answer;
  for (const VarId id : {x, y}) {
    answer.variables.push_back({id == x ? "x" : "y", kStates, {}});
    AnswerStep step;
    step.variable = id;
    step.newState.assign(kStates, 1);
    answer.steps.push_back(step);
  }
  bundle.answer = answer;
  EXPECT_THROW(verifyBundle(bundle), Error);
  bundle.answer->steps[1].newState.resize(3);
  bundle.answer->variables[1].extent = 3;
  verifyBundle(bundle);
}

} // namespace
} // namespace mpf
