// A program without the compiler: kernels from files run on no GPU unless they are trusted.
#include "codegen/bundle/forms/program_file.h"
#include "runtime/api/session.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::string savedBundle(const std::string &folder) {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3);
  const BufferId f = builder.input({x}, {1, 2, 3});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {}));
  Bundle bundle = builder.finish();
  bundle.name = "Z";
  bundle.kind = QueryKind::Evidence;
  bundle.kernels.push_back({"k", "plan text", "source text", 1, 32, 0, {{"sm_90", "image"}}, {}});
  bundle.kernels.push_back({"table_driven_f64", "", "source text", 1, 256, 0, {}, {}});
  bundle.operations[0].kernel = 0;
  bundle.tableDriven = 1;
  const std::string path = folder + "/z.mpfb";
  writeProgram(path, bundle);
  return path;
}

TEST(RuntimeAlone, RunsForeignBundlesOnTheCpu) {
  const TemporaryFolder folder;
  const Program program = loadProgram(savedBundle(folder.path()));
  for (const char *device : {"auto", "cpu"}) {
    SessionOptions options;
    options.device = device;
    EXPECT_DOUBLE_EQ(Session(program, options).run().tables.front().at(0).log10(), std::log10(6.0));
  }
}

TEST(RuntimeAlone, RefusesThemForTheGpuUnlessTrusted) {
  const TemporaryFolder folder;
  const std::string path = savedBundle(folder.path());
  SessionOptions options;
  options.device = "gpu";
  try {
    Session(loadProgram(path), options).run();
    FAIL() << "kernels of a file were taken";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("LoadOptions::trust"), std::string::npos);
  }
  EXPECT_FALSE(loadProgram(path, {.trust = true}).bundle().foreignKernels);
}

} // namespace
} // namespace mpf
