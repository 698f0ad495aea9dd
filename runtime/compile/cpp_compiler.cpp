#include "runtime/compile/cpp_compiler.h"

#include "dsl/support/check.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/hash.h"
#include "dsl/support/system/environment.h"
#include "dsl/support/system/system_text.h"
#include "runtime/compile/child_process.h"

#include <filesystem>
#include <sys/utsname.h>
#include <unistd.h>

namespace mpf {

namespace {

namespace fs = std::filesystem;

/// Parts of `text` between separators; empty ones are left out.
std::vector<std::string> partsOf(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin)
      parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool isProgram(const fs::path &path) {
  std::error_code status;
  return fs::is_regular_file(path, status) && ::access(path.c_str(), X_OK) == 0;
}

/// Runs `program.argv` if the compiler may still be run. Executes the file that was checked, even
/// if its path now names another.
ChildResult runCompiler(ChildProgram program) {
  const TrustedProgram compiler(program.argv.front());
  if (!compiler.isTrusted())
    fail(ErrorKind::Device, "the C++ compiler {} is not run, because {}", program.argv.front(),
         compiler.fault());
  program.file = compiler.descriptor();
  return runChild(program);
}

/// Returns the path that a shell would find, or "" if there is none. Relative folders of PATH are
/// not trusted. A program found on PATH is skipped if others can write to it.
std::string findProgram(const std::string &name) {
  if (name.find('/') != std::string::npos) {
    std::error_code status;
    return isProgram(name) ? fs::absolute(name, status).string() : "";
  }
  for (const std::string &folder : partsOf(environmentValue("PATH"), ':'))
    if (const fs::path path = fs::path(folder) / name;
        path.is_absolute() && isProgram(path) && TrustedProgram(path).isTrusted())
      return path.string();
  return "";
}

std::string fileStamp(const std::string &path) {
  std::error_code status;
  const fs::path real = fs::canonical(path, status);
  const auto time = fs::last_write_time(real, status).time_since_epoch().count();
  return fmt::format("{} {} {}", real.string(), fs::file_size(real, status), time);
}

} // namespace

std::vector<std::string> findCppCompiler() {
  if (std::vector<std::string> words = partsOf(environmentValue("CXX"), ' '); !words.empty()) {
    words.front() = findProgram(words.front());
    const bool usable = !words.front().empty() && TrustedProgram(words.front()).isTrusted();
    return usable ? words : std::vector<std::string>{};
  }
  for (const char *name : {"c++", "clang++", "g++"})
    if (const std::string path = findProgram(name); !path.empty())
      return {path};
  return {};
}

std::string unusedCompiler() {
  const std::vector<std::string> words = partsOf(environmentValue("CXX"), ' ');
  const std::string path = words.empty() ? "" : findProgram(words.front());
  const std::string fault = path.empty() ? "" : TrustedProgram(path).fault();
  return fault.empty() ? ""
                       : fmt::format("the C++ compiler {} that CXX names is not used, because {}",
                                     path, fault);
}

std::string hostArch() {
  utsname machine{};
  ::uname(&machine);
  // The lines of the first processor that do not change over time.
  const std::string text = systemText("/proc/cpuinfo");
  HashBuilder hash;
  for (const std::string &line : partsOf(text.substr(0, text.find("\n\n")), '\n'))
    for (const char *key : {"model", "cpu family", "stepping", "flags", "Features", "CPU ", "isa"})
      if (line.starts_with(key))
        hash.add(line);
  return fmt::format("{}-{}", machine.machine, hash.finish().hex().substr(0, 16));
}

CppCompiler::CppCompiler(std::vector<std::string> command, std::chrono::milliseconds timeout,
                         CppEffort effort)
    : command_(std::move(command)), timeout_(timeout), effort_(effort) {
  if (command_.empty())
    fail(ErrorKind::Device, "there is no C++ compiler: neither $CXX nor c++, clang++, g++ on PATH");
  std::vector<std::string> ask = command_;
  ask.emplace_back("--version");
  const ChildResult said = runCompiler({.argv = std::move(ask), .timeout = timeout_});
  if (said.exitCode != 0 || said.timedOut)
    fail(ErrorKind::Device, "{} does not tell its version: {}", command_.front(), said.output);
  version_ = said.output.substr(0, said.output.find('\n'));
  for (const std::string &word : command_)
    version_ += word.starts_with('/') ? '\n' + fileStamp(word) : '\n' + word;
}

std::vector<std::string> CppCompiler::options(const std::string &) const {
  const char *const level = effort_ == CppEffort::Written ? "-O1" : "-O2";
  return {"-std=c++17",         level,   "-march=native", "-ffp-contract=fast", "-fno-math-errno",
          "-fno-trapping-math", "-fPIC", "-shared",       "-nostdlib",          "-w"};
}

CompiledKernel CppCompiler::compile(const CompileRequest &request) const {
  constexpr const char *kObject = "kernel.so";
  std::vector<std::string> argv = command_;
  for (std::string &option : options(request.arch))
    argv.push_back(std::move(option));
  argv.insert(argv.end(), {"-x", "c++", "-", "-o", fmt::format("{}/{}", kChildFolder, kObject)});
  ChildResult said = runCompiler({.argv = std::move(argv),
                                  .input = request.source,
                                  .timeout = timeout_,
                                  .resultName = kObject});
  if (said.timedOut)
    fail(ErrorKind::Device, "{}: {} took more than {} s", request.name, command_.front(),
         std::chrono::duration_cast<std::chrono::seconds>(timeout_).count());
  if (said.exitCode != 0)
    fail(ErrorKind::Device, "{}: {} ended with {}:\n{}", request.name, command_.front(),
         said.exitCode, said.output);
  if (!said.result || said.result->empty())
    fail(ErrorKind::Device, "{}: {} ended well but made no library\n{}", request.name,
         command_.front(), said.output);
  CompiledKernel kernel;
  kernel.cubin = std::move(*said.result);
  kernel.log = said.output;
  return kernel;
}

std::unique_ptr<Compiler> openCppCompiler(CppEffort effort) {
  return std::make_unique<CppCompiler>(findCppCompiler(), CppCompiler::kTimeout, effort);
}

} // namespace mpf
