// The system's compiler as a child process: found, cached, failing, hanging.
#include "dsl/support/error.h"
#include "runtime/compile/child_process.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/compile/dynamic_library.h"
#include "runtime/compile/kernel_store.h"
#include "tests/unit/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr const char *kAnswer = "extern \"C\" int answer() { return 42; }\n";

/// An environment variable for the life of the object.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name_(name) {
    const char *old = std::getenv(name);
    if (old != nullptr)
      old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

private:
  const char *name_;
  std::optional<std::string> old_;
};

/// Writes a program into `folder` that prints a version, else runs `script`.
std::vector<std::string> fakeCompiler(const std::string &folder, const std::string &script) {
  const std::string path = folder + "/fake-c++";
  std::ofstream(path) << "#!/bin/sh\n[ \"$1\" = --version ] && echo fake 1 && exit 0\n" << script;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return {path};
}

std::string messageOf(const CppCompiler &compiler) {
  try {
    compiler.compile({"answer", kAnswer, hostArch()});
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Device);
    return error.what();
  }
  return "compiled";
}

TEST(CppCompiler, TheVariableCountsAloneWhereItIsSet) {
  const TemporaryFolder folder;
  const std::vector<std::string> fake = fakeCompiler(folder.path(), "exit 1\n");
  {
    const Variable variable("CXX", fake.front() + " -one  -two");
    EXPECT_EQ(findCppCompiler(), (std::vector<std::string>{fake.front(), "-one", "-two"}));
  }
  const Variable variable("CXX", "/nonexistent/c++");
  EXPECT_TRUE(findCppCompiler().empty());
  EXPECT_THROW(openCppCompiler(), Error);
}

TEST(CppCompiler, FailureGivesItsMessages) {
  const TemporaryFolder folder;
  const CppCompiler compiler(
      fakeCompiler(folder.path(), "echo 'cannot compile today' >&2\nexit 3\n"));
  EXPECT_NE(messageOf(compiler).find("ended with 3:\ncannot compile today"), std::string::npos);
}

TEST(CppCompiler, OneThatHangsIsEndedWithItsChildren) {
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const CppCompiler compiler(fakeCompiler(folder.path(), "sleep 600 & wait\n"),
                             std::chrono::milliseconds(300));
  EXPECT_NE(messageOf(compiler).find("took more than"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ChildProcess, HasAnEnvironmentOfItsOwn) {
  const Variable variable("CPATH", "/surprise");
  const ChildResult result =
      runChild({.argv = {"/usr/bin/env"}, .timeout = std::chrono::milliseconds(10000)});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.output.find("surprise"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("LC_ALL=C\nTMPDIR=/"), std::string::npos);
}

TEST(CppCompiler, ASecondStoreFindsTheObjectInTheCache) {
  if (findCppCompiler().empty())
    GTEST_SKIP() << "no C++ compiler";
  const TemporaryFolder folder;
  KernelStoreOptions options;
  options.cacheFolder = folder.path() + "/cache";
  options.kind = CacheKind::Object;
  const std::vector<CompileRequest> requests{{"answer", kAnswer, hostArch()}};
  KernelStore cold([] { return openCppCompiler(); }, options);
  const std::string image = cold.compileAll(requests).front().cubin;
  EXPECT_EQ(cold.counters().compiled, 1u);
  {
    const auto openFiles = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    const auto before = openFiles();
    const DynamicLibrary library = DynamicLibrary::fromImage(image);
    const DynamicLibrary other = DynamicLibrary::fromImage(image);
    EXPECT_EQ(openFiles(), before); // a program of a thousand kernels does not take all there are
    int (*answer)() = nullptr, (*again)() = nullptr;
    ASSERT_TRUE(library.bind("answer", answer) && other.bind("answer", again));
    EXPECT_EQ(answer() + again(), 84);
    EXPECT_NE(answer, again); // two libraries, not one under the same name
  }
  options.forbidCompiling = true;
  KernelStore warm([] { return openCppCompiler(); }, options);
  EXPECT_EQ(warm.compileAll(requests).front().cubin, image);
  EXPECT_EQ(warm.counters().diskHits, 1u);

  // Files that other users may have written are not run.
  std::filesystem::permissions(options.cacheFolder, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  KernelStore shared([] { return openCppCompiler(); }, options);
  EXPECT_THROW(shared.compileAll(requests), Error);
}

TEST(CppCompiler, OneFailureIsNoOthers) {
  const TemporaryFolder folder;
  KernelStoreOptions options;
  options.cacheFolder = folder.path() + "/cache";
  options.kind = CacheKind::Object;
  const std::vector<std::string> fake = fakeCompiler(
      folder.path(), "grep -q bad && echo 'it is bad' && exit 1\nfor o; do last=$o; done\n"
                     "echo object > $last\n");
  KernelStore store([&] { return std::make_unique<CppCompiler>(fake); }, options);
  const std::string arch = hostArch();
  const auto outcomes =
      store.compileEach({{"a", "good 1", arch}, {"b", "bad", arch}, {"c", "good 2", arch}});
  EXPECT_EQ(outcomes[0].kernel.cubin, "object\n");
  EXPECT_FALSE(outcomes[0].problem);
  EXPECT_TRUE(outcomes[1].problem);
  EXPECT_EQ(outcomes[2].kernel.cubin, "object\n");
  EXPECT_THROW(store.compileAll({{"b", "bad", arch}}), Error);
}

/// The compiler ends successfully, but there is nothing to load.
TEST(CppCompiler, OneThatMakesNothingFails) {
  for (const char *script : {"exit 0\n", "for o; do last=$o; done\nmkdir $last\n",
                             "for o; do last=$o; done\nmkfifo $last\n",
                             "for o; do last=$o; done\nln -s /dev/zero $last\n",
                             "for o; do last=$o; done\ntruncate -s 3G $last\n"}) {
    const TemporaryFolder folder;
    const CppCompiler compiler(fakeCompiler(folder.path(), script));
    EXPECT_NE(messageOf(compiler).find("ended well but made no library"), std::string::npos)
        << script;
  }
}

TEST(CppCompiler, WhatIsNoObjectIsNotLoaded) {
  EXPECT_THROW(DynamicLibrary::fromImage("no object"), Error);
}

} // namespace
} // namespace mpf
