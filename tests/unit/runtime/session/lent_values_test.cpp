// Values that a session reads where the host program keeps them.
#include "runtime/api/session.h"
#include "tests/unit/runtime/library/rain_model.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(LentValues, AreReadWhereTheyLie) {
  Session session(compileText(kRain)), copies(compileText(kRain));
  std::vector<double> rain = {0.5, 0.5};
  session.lend("P(rain)", rain);
  copies.bind("P(rain)", rain);
  EXPECT_EQ(log10Of(session.run()), log10Of(copies.run()));
  rain = {0.25, 0.75};
  session.lend("P(rain)", rain);
  copies.bind("P(rain)", rain);
  EXPECT_EQ(log10Of(session.run()), log10Of(copies.run()));
  session.observe("wet", "no"); // the table is taken from the lent values again
  copies.observe("wet", "no");
  EXPECT_EQ(log10Of(session.run()), log10Of(copies.run()));
  session.bind("P(rain)", std::vector<double>{0.5, 0.5});
  rain = {7, 7};
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.55), 1e-12);
  for (const std::vector<double> &wrong :
       {std::vector<double>{1}, std::vector<double>{-1, 2}, std::vector<double>{0.5, 0.6},
        std::vector<double>{NAN, 1}})
    EXPECT_ANY_THROW(session.lend("P(rain)", wrong));
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.55), 1e-12);
}

} // namespace
} // namespace mpf
