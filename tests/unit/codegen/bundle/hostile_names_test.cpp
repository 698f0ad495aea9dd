// Names from files are identifiers where they become part of a path or of a program text.
#include "codegen/bundle/forms/program_file.h"
#include "dsl/support/error.h"
#include "dsl/support/identifier.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/compiled/print_compiled.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpf {
namespace {

const std::vector<std::string> kHostile = {"../x",
                                           "/etc/x",
                                           "a/b",
                                           "",
                                           ".",
                                           "..",
                                           std::string(300, 'a'),
                                           "a\nb",
                                           "*/",
                                           "a\\\nint x;",
                                           "a\\",
                                           "\"",
                                           "<script>",
                                           "a b",
                                           "-o",
                                           "$(id)",
                                           std::string("a\0b", 3)};

Bundle bundleWithKernel(const std::string &name, const std::string &arch) {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(3);
  const BufferId f = builder.input({x}, {1, 2, 3});
  builder.output(builder.operation({Reduce::Sum, Combine::Times}, {f}, {}));
  Bundle bundle = builder.finish();
  bundle.name = "Z";
  bundle.kind = QueryKind::Evidence;
  bundle.kernels.push_back({name, "plan text", "source text", 1, 32, 0, {{arch, "image"}}, {}});
  bundle.operations[0].kernel = 0;
  return bundle;
}

class EchoCompiler : public Compiler {
public:
  const std::string &version() const override { return version_; }
  std::vector<std::string> options(const std::string &) const override { return {}; }
  CompiledKernel compile(const CompileRequest &request) const override {
    CompiledKernel kernel;
    kernel.cubin = request.source;
    kernel.log = "log";
    return kernel;
  }

private:
  const std::string version_ = "1";
};

std::unique_ptr<Compiler> openEcho() { return std::make_unique<EchoCompiler>(); }

size_t filesBelow(const std::string &folder) {
  size_t count = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file() ? 1 : 0;
  return count;
}

TEST(HostileNames, AreNoIdentifiers) {
  for (const std::string &name : kHostile)
    EXPECT_FALSE(isIdentifier(name)) << name;
  for (const char *name : {"k", "tile_0123456789abcdef", "_x", "sm_90a", "A9"})
    EXPECT_TRUE(isIdentifier(name)) << name;
}

TEST(HostileNames, OfKernelsAreRefusedWithTheirBundle) {
  EXPECT_NO_THROW(parseAs<Bundle>(programBytes(bundleWithKernel("k", "sm_90"))));
  for (const std::string &name : kHostile)
    for (const bool isArch : {false, true}) {
      const std::string file =
          programBytes(isArch ? bundleWithKernel("k", name) : bundleWithKernel(name, "sm_90"));
      try {
        parseAs<Bundle>(file);
        ADD_FAILURE() << "read: " << name;
      } catch (const Error &error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput);
        const std::string message = error.what();
        EXPECT_NE(message.find("is not an identifier"), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      }
    }
}

/// The store refuses hostile names even if a caller lets them through.
TEST(HostileNames, NeverBecomePaths) {
  const TemporaryFolder folder;
  KernelStoreOptions options;
  options.cacheFolder = folder.path() + "/cache";
  options.useDisk = false;
  for (const bool dumps : {true, false}) {
    const std::string inside = folder.path() + (dumps ? "/dump" : "/override");
    (dumps ? options.dumpFolder : options.overrideFolder) = inside;
    std::filesystem::create_directories(inside);
    std::ofstream(folder.path() + "/x.cu") << "outside"; // the file that ../x would be
    for (const std::string &name : kHostile)
      for (const CompileRequest &request :
           {CompileRequest{name, "text", "sm_90"}, CompileRequest{"k", "text", name}}) {
        KernelStore store(openEcho, options);
        try {
          store.compileAll({request});
          ADD_FAILURE() << "compiled: " << name;
        } catch (const Error &error) {
          EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
        }
      }
    EXPECT_EQ(filesBelow(folder.path()), 1u);
    (dumps ? options.dumpFolder : options.overrideFolder).clear();
  }
  options.dumpFolder = folder.path() + "/dump";
  KernelStore(openEcho, options).compileAll({{"k", "text", "sm_90"}});
  EXPECT_EQ(filesBelow(options.dumpFolder), 2u);
}

TEST(HostileNames, StayInTheCommentsOfCppTexts) {
  Bundle bundle = bundleWithKernel("k", "sm_90");
  const auto lines = [](const std::string &text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  bundle.operations[0].name = "m0";
  const std::string plain = printCompiledTexts(bundle);
  for (const std::string &name : kHostile) {
    bundle.operations[0].name = name;
    const std::string text = printCompiledTexts(bundle);
    EXPECT_EQ(lines(text), lines(plain)) << text.substr(text.find("// operations"));
    EXPECT_EQ(text.find("\\\n", text.find("// operations")), std::string::npos);
  }
}

} // namespace
} // namespace mpf
