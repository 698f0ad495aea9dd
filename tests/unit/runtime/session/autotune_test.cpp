// Kernels chosen by measuring, from a host program: on the machine's GPU, skipped without one.
#include "codegen/bundle/forms/program_file.h"
#include "runtime/api/session.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr const char *kTriangle = R"(
  param n = 96
  var x, y, z, k : n
  factor f(x, y, k) = 1 + (x + y < 2 * k)
  factor g(y, z, k) = 1 + (2 * y < z + k)
  factor h(x, z) = 1 + (x < z)
  query total = sum() f * g * h
)";

CompileOptions optionsFor(const std::string &type, bool forcedLog, unsigned autotune) {
  CompileOptions options;
  options.device = "gpu";
  options.type = type;
  options.forcedLog = forcedLog;
  options.expectedRuns = std::numeric_limits<double>::infinity();
  options.autotune = autotune;
  return options;
}

size_t tunedKernels(const Program &program) {
  size_t count = 0;
  for (const BundleKernel &kernel : program.bundle().kernels)
    count += kernel.tuning.has_value() ? 1 : 0;
  return count;
}

double log10Of(const Program &program) {
  SessionOptions options;
  options.device = "gpu";
  options.verifySamples = 8;
  return Session(program, options).run().tables.front().at(0).log10();
}

TEST(Autotune, OneKernelAloneIsNoChoice) {
  EXPECT_THROW(compileText(kTriangle, optionsFor("f64", false, 1)), Error);
}

TEST(Autotune, MeasuringNeedsAGpu) {
  if (gpuBackendUnavailable().empty())
    GTEST_SKIP() << "there is one";
  try {
    compileText(kTriangle, optionsFor("f64", false, 4));
    FAIL() << "measured without a GPU";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Device);
    EXPECT_NE(std::string(error.what()).find("autotuning measures"), std::string::npos);
  }
}

TEST(Autotune, TunedKernelsGiveTheSameAnswersAndAreRemembered) {
  if (const std::string reason = gpuBackendUnavailable(); !reason.empty())
    GTEST_SKIP() << reason;
  const TemporaryFolder cache;
  setenv("MPF_CACHE_DIR", cache.path().c_str(), 1);
  for (const auto &[type, log] : {std::pair("f64", false), std::pair("f32", false),
                                  std::pair("f64", true), std::pair("u64", false)}) {
    SCOPED_TRACE(std::string(type) + (log ? " log" : ""));
    const Program plain = compileText(kTriangle, optionsFor(type, log, 0));
    const Program tuned = compileText(kTriangle, optionsFor(type, log, 4));
    const Program again = compileText(kTriangle, optionsFor(type, log, 4));
    CompileOptions unasked = optionsFor(type, log, 0);
    unasked.autotune.reset();
    const Program taken = compileText(kTriangle, unasked);
    EXPECT_EQ(tunedKernels(plain), 0u);
    EXPECT_GT(tunedKernels(tuned), 0u);
    EXPECT_EQ(programBytes(again.bundle()), programBytes(tuned.bundle()));
    EXPECT_EQ(programBytes(taken.bundle()), programBytes(tuned.bundle()));
    const double tolerance = std::string(type) == "f32" ? 1e-5 : 1e-12;
    EXPECT_NEAR(log10Of(tuned), log10Of(plain), tolerance * std::abs(log10Of(plain)));
  }
  unsetenv("MPF_CACHE_DIR");
}

} // namespace
} // namespace mpf
