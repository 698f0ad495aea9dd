// --override-kernels: only texts that the user wrote are used.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "runtime/compile/kernel_store.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpf {
namespace {

class EchoingCompiler : public Compiler {
public:
  const std::string &version() const override { return version_; }
  std::vector<std::string> options(const std::string &) const override { return {}; }
  CompiledKernel compile(const CompileRequest &request) const override {
    CompiledKernel kernel;
    kernel.cubin = request.source;
    return kernel;
  }

private:
  const std::string version_ = "1";
};

class OverrideFolder : public testing::Test {
protected:
  OverrideFolder() : path_(folder_.path() + "/kernels") {
    std::filesystem::create_directory(path_);
    ::chmod(path_.c_str(), 0755);
    writeFile(path_ + "/k.cu", "edited");
    ::chmod((path_ + "/k.cu").c_str(), 0644);
  }

  /// Returns the text from which kernel `name` is compiled, or the error.
  std::string compiled(const std::string &name = "k") {
    KernelStoreOptions options;
    options.useDisk = false;
    options.cacheFolder = folder_.path() + "/cache";
    options.overrideFolder = path_;
    try {
      return KernelStore([] { return std::make_unique<EchoingCompiler>(); }, options)
          .compileAll({{name, "emitted", "sm_90"}})
          .front()
          .cubin;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
  }

  void expectRefused(const std::string &why) {
    const std::string message = compiled();
    EXPECT_NE(message.find("nothing is compiled from here, because " + why), std::string::npos)
        << message;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(OverrideFolder, ReplacesTextsByThoseOfTheUser) {
  EXPECT_EQ(compiled(), "edited");
  EXPECT_EQ(compiled("other"), "emitted");
}

/// Dumped texts end with comments about the kernels' purpose; compiled texts do not. A text of the
/// user is dumped unchanged.
TEST_F(OverrideFolder, DumpsSayWhatKernelsAreFor) {
  KernelStoreOptions options;
  options.useDisk = false;
  options.cacheFolder = folder_.path() + "/cache";
  options.dumpFolder = folder_.path() + "/dumped";
  options.dumpedBehind = "\n//: said\n";
  options.overrideFolder = path_;
  KernelStore store([] { return std::make_unique<EchoingCompiler>(); }, options);
  const auto kernels = store.compileAll({{"k", "emitted", "sm_90"}, {"other", "emitted", "sm_80"}});
  EXPECT_EQ(kernels[1].cubin, "emitted");
  EXPECT_EQ(readFile(options.dumpFolder + "/other.cu"), "emitted\n//: said\n");
  EXPECT_EQ(readFile(options.dumpFolder + "/k.cu"), "edited");
}

TEST_F(OverrideFolder, IsTheUsersAlone) {
  ::chmod(path_.c_str(), 0777);
  expectRefused("its group or others can write to it: chmod go-w " + path_ + " ends that");
  ::chmod(path_.c_str(), 0755);
  ::chmod((path_ + "/k.cu").c_str(), 0664);
  expectRefused("its group or others can write to it: chmod go-w " + path_ + "/k.cu ends that");
  std::filesystem::remove(path_ + "/k.cu");
  std::filesystem::create_symlink("/etc/passwd", path_ + "/k.cu");
  expectRefused("it is a link or no file");
}

TEST_F(OverrideFolder, IsNoStrangers) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chown((path_ + "/k.cu").c_str(), 12345, 12345), 0);
  expectRefused("it belongs to another user");
  ASSERT_EQ(::chown((path_ + "/k.cu").c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  expectRefused("it belongs to another user");
}

} // namespace
} // namespace mpf
