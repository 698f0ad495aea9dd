#include "tools/mpfc/kernel_checker.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/kernel_file_name.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/lanes_in_text.h"
#include "codegen/emit/plan_in_text.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/list_folder.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/system/environment.h"
#include "runtime/compile/child_process.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/version.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace mpf::driver {

namespace {

namespace fs = std::filesystem;

constexpr const char *kProgram = "mpf-check-kernel";
constexpr std::chrono::minutes kOverridingLimit{2}; ///< for each text

/// Exit code of a dynamic loader that does not find a library. A program that is not found does not
/// start, so the code cannot mean that.
constexpr int kNotLoaded = 127;

std::string whyThereIsNone() {
  if (!kBuildsKernelChecker)
    return "this mpfc was built without the libraries of Clang 19 and of Boost.Context";
  std::error_code problem;
  const fs::path self = fs::read_symlink("/proc/self/exe", problem);
  return fmt::format(
      "{} is not beside mpfc in {}: it was built with it, and must be installed with "
      "it",
      kProgram, self.parent_path().string());
}

/// Whether the text is unedited: exactly the text that mpf dumps for its plan.
bool isEmittedText(const std::string &name, const std::string &text) {
  Diagnostics unheard;
  const auto plans = plansInText(SourceBuffer(name, text), unheard);
  return plans && plans->size() == 1 && hasPlannedNames(plans->front().plan) &&
         findFaultOnAnyGpu(plans->front().plan).empty() && cudaSource(plans->front().plan) == text;
}

/// Reads a text as the store of kernels does (runtime/compile/kernel_store.cpp): only from a file
/// of this user or root, not through a link.
std::string trustedText(const TrustedPath &folder, const fs::path &path) {
  const TrustedPath file(folder.heldPath() + "/" + path.filename().string(), PathKind::File);
  requireTrust(file, path.string());
  return readFile(file.heldPath());
}

/// Throws unless the file is named after its kernel. Kernels are looked up by file name: a file
/// with another kernel would replace the wrong one.
void requireNamesake(const fs::path &path, const std::string &text) {
  if (const std::string name = kernelFileName(text); !name.empty()) {
    if (name != path.stem().string())
      fail(ErrorKind::BadInput,
           "{}: holds the kernels of {}: a file of --override-kernels holds those that it is named "
           "after",
           path.string(), name);
    return;
  }
  Diagnostics unheard; // the checker reports what cannot be read
  const auto plans = plansInText(SourceBuffer(path.string(), text), unheard);
  if (!plans || plans->empty())
    return;
  const std::string &kernel = plans->front().plan.header().name;
  if (plans->size() != 1 || kernel != path.stem().string())
    fail(ErrorKind::BadInput,
         "{}: holds {} kernels, the first is {}: a file of --override-kernels "
         "holds the one kernel that it is named after",
         path.string(), plans->size(), kernel);
}

std::vector<fs::path> textsIn(const std::string &folder) {
  std::vector<fs::path> texts;
  std::error_code problem;
  for (const std::string &name : namesIn(folder, problem))
    if (fs::path(name).extension() == ".cu")
      texts.push_back(fs::path(folder) / name);
  if (problem)
    fail(ErrorKind::BadInput, "{}: cannot be read: {}", folder, problem.message());
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Whether the text is an unedited text of kernels for lanes.
bool isEmittedForLanes(std::string_view text) {
  text = withoutLanesInText(text);
  return isNamedLaneText(text) || text == teamSource(ElementType::F32) ||
         text == teamSource(ElementType::F64);
}

} // namespace

std::string findKernelChecker() {
  std::error_code problem;
  const fs::path self = fs::read_symlink("/proc/self/exe", problem);
  const fs::path beside = self.parent_path() / kProgram;
  return !problem && fs::exists(beside, problem) ? beside.string() : std::string();
}

KernelVerdict checkKernelText(const std::string &name, std::string_view text,
                              std::chrono::milliseconds limit) {
  if (isEmittedForLanes(text))
    return {true, fmt::format("{}: kernels of lanes, as mpf wrote them\n", name)};
  ChildProgram checker;
  checker.argv = {findKernelChecker(), name};
  if (checker.argv.front().empty())
    fail(ErrorKind::Device, "kernels cannot be checked: {}", whyThereIsNone());
  if (const std::string compiler = environmentValue("CXX"); !compiler.empty())
    checker.argv.push_back(compiler); // the child's environment has no CXX
  checker.input = text;
  checker.timeout = limit;
  const ChildResult result = runChild(checker);
  if (result.timedOut)
    fail(ErrorKind::TimeLimit, "{}: not checked within {} s: the kernel is large, or does not end",
         name, std::chrono::duration<double>(limit).count());
  if (result.exitCode == kNotLoaded)
    fail(ErrorKind::Device, "kernels cannot be checked: {} does not start: {}", kProgram,
         result.output);
  for (const ErrorKind kind : {ErrorKind::MemoryBound, ErrorKind::Device, ErrorKind::Internal})
    if (result.exitCode == exitCode(kind)) // it says nothing about the text
      fail(kind, "{}", result.output);
  std::string output = result.output;
  if (result.exitCode > 128)
    output += fmt::format("{}: error: signal {} while the kernel was read or ran\n", name,
                          result.exitCode - 128);
  return {result.exitCode == 0, std::move(output)};
}

void checkOverridingKernels(const std::string &folder) {
  const bool isThere = !findKernelChecker().empty();
  const TrustedPath held(folder, PathKind::Folder);
  requireTrust(held, folder);
  for (const fs::path &path : textsIn(folder)) {
    const std::string name = path.string(), text = trustedText(held, path);
    if (isEmittedText(name, text))
      continue;
    if (runsAnyProgram(text) || isEmittedForLanes(text)) {
      requireNamesake(path, text);
      continue;
    }
    if (!isThere) {
      say("mpfc: note: {} is taken unchecked: {}\n", name, whyThereIsNone());
      continue;
    }
    requireNamesake(path, text);
    const KernelVerdict verdict = checkKernelText(name, text, kOverridingLimit);
    say("{}", verdict.text);
    if (!verdict.isSound)
      fail(ErrorKind::BadInput, "{}: this kernel is not run (mpfc check-kernel)", name);
  }
}

} // namespace mpf::driver
