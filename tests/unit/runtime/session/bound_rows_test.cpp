// Rows of conditional tables that a session binds: the rule of models holds for them.
#include "runtime/api/session.h"
#include "tests/support/error_kind.h"
#include "tests/unit/message_of_error.h"
#include "tests/unit/runtime/library/rain_model.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// Those that a model refuses are refused when they are bound, in a loaded program too.
TEST(BoundRows, RefusesRowsOfAProbThatDoNotSumTo1) {
  const Program program = compileText(kRain), loaded = loadProgramBytes(program.bytes());
  for (const Program &one : {program, loaded}) {
    Session session(one);
    for (const double off : {0.0, 1e-7, -1e-7, 0.009, -0.009})
      session.bind("P(wet)", std::vector<double>{0.9, 0.1, 0.2, 0.8 + off});
    const auto messageOf = [&session](std::vector<double> values) {
      return messageOfError(ErrorKind::BadInput, [&] { session.bind("P(wet)", values); });
    };
    for (const double off : {0.011, -0.011, 1e300})
      EXPECT_NE(messageOf({0.9, 0.1, 0.2, 0.8 + off}).find("factor P(wet): row 1 sums to "),
                std::string::npos)
          << off;
    EXPECT_EQ(messageOf({0.9, 0.2, 0.2, 0.8}), "factor P(wet): row 0 sums to 1.1, it must be 1");
    session.bind("P(wet)", std::vector<double>{0.9, 0.1, 0.2, 0.8});
    const std::vector<ScaledNumber> wide = {
        ScaledNumber::fromValue(1), ScaledNumber::fromValue(1, -3000), ScaledNumber::fromValue(1),
        ScaledNumber::fromValue(1, 3000)};
    EXPECT_EQ(errorKindOf([&] { session.bind("P(wet)", std::span(wide)); }), ErrorKind::BadInput);
    EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12) << "as it was";
  }
}

TEST(BoundRows, RefusesRowsOfAProbWhereOtherFactorsMayBeNegative) {
  Session session(compileText("var x : 2\nprob P(x) = [0.5, 0.5]\nfactor f(x) = [1, -2]\n"
                              "query q = sum() P(x) * f"));
  session.bind("f", std::vector<double>{3, -1});
  EXPECT_EQ(messageOfError(ErrorKind::BadInput,
                           [&] {
                             session.bind("P(x)", std::vector<double>{-0.5, 1.5});
                           }),
            "factor P(x): entry 0 is below 0, and no entry of a prob may be");
  EXPECT_NEAR(session.run().number().value().value(), 1, 1e-12);
}

} // namespace
} // namespace mpf
