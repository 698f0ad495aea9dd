#include "dsl/source/verify_diagnostics.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Reports `message` at the first occurrence of `at` in `text`, then verifies.
std::string verify(const std::string &text, const std::string &at, const std::string &message,
                   Severity severity = Severity::Error, const std::string &hint = "") {
  const auto buffer = std::make_shared<const SourceBuffer>("t.mpf", text);
  Diagnostics diagnostics;
  if (!message.empty()) {
    const auto begin = static_cast<uint32_t>(text.find(at));
    diagnostics.report({severity, {buffer, {begin, begin + 1}}, message, hint});
  }
  return verifyDiagnostics(*buffer, diagnostics);
}

TEST(VerifyDiagnostics, AcceptsOnTheSameLine) {
  EXPECT_EQ(verify("var x : 0 # expected-error {{extent of x}}\n", "0", "extent of x is 0"), "");
}

TEST(VerifyDiagnostics, AcceptsRelativeLines) {
  EXPECT_EQ(verify("# expected-error@+2 {{bad}}\n\nvar x\n", "var", "bad"), "");
  EXPECT_EQ(verify("var x\n# expected-error@-1 {{bad}}\n", "var", "bad"), "");
  EXPECT_EQ(verify("var x\n\n# expected-error@* {{bad}}\n", "var", "bad"), "");
}

TEST(VerifyDiagnostics, MatchesTheHint) {
  EXPECT_EQ(verify("x # expected-error {{did you mean 'y'}}", "x", "unknown 'x'", Severity::Error,
                   "did you mean 'y'?"),
            "");
}

TEST(VerifyDiagnostics, RejectsAnUnexpectedOne) {
  const std::string report = verify("x # expected-no-diagnostics", "x", "bad");
  EXPECT_EQ(report.find("unexpected: t.mpf:1:1: error: bad"), 0u) << report;
}

TEST(VerifyDiagnostics, RejectsAMissingOne) {
  EXPECT_EQ(verify("x # expected-error {{bad}}", "x", ""),
            "t.mpf:1: expected error not reported on line 1: bad\n");
}

TEST(VerifyDiagnostics, RejectsWrongLineKindOrText) {
  const auto says = [](const std::string &source, const std::string &missing) {
    const std::string report = verify(source, "x", "bad");
    EXPECT_NE(report.find(missing), std::string::npos) << report;
    EXPECT_NE(report.find("unexpected: t.mpf:1:1: error: bad"), std::string::npos) << report;
  };
  says("x\n# expected-error {{bad}}", "expected error not reported on line 2: bad");
  says("x # expected-warning {{bad}}", "expected warning not reported on line 1: bad");
  says("x # expected-error {{good}}", "expected error not reported on line 1: good");
}

TEST(VerifyDiagnostics, OneCommentStandsForOneDiagnostic) {
  EXPECT_EQ(verify("x # expected-error {{bad}} expected-error {{bad}}", "x", "bad"),
            "t.mpf:1: expected error not reported on line 1: bad\n");
}

TEST(VerifyDiagnostics, RejectsFilesThatExpectNothingAndUnreadableComments) {
  EXPECT_NE(verify("x\n", "x", "").find("expected-"), std::string::npos);
  EXPECT_EQ(verify("x # expected-no-diagnostics\n", "x", ""), "");
  for (const char *comment : {"expected-eror {{x}}", "expected-error x", "expected-error {{}}",
                              "expected-error@-9 {{x}}", "expected-error@3 {{x}}"})
    EXPECT_NE(verify(std::string("x # ") + comment, "x", "").find("cannot read"), std::string::npos)
        << comment;
}

} // namespace
