#include "runtime/compile/nvrtc_compiler.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/memory_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace mpf {

namespace {

/// Emitted sources mark the end of the preamble with this comment (codegen/emit).
constexpr std::string_view kGeneratedMark = "// ---- generated ----";

/// Address space for compiling the longest emitted texts, with a margin.
constexpr uint64_t kCompilingBytes = uint64_t{160} << 20;

/// Throws if there is too little address space: then NVRTC would end the process or report errors
/// in the text.
void requireAddresses(const std::string &name) {
  if (const uint64_t left = addressesLeft(); left < kCompilingBytes)
    fail(ErrorKind::MemoryBound,
         "compiling {} may take {} of addresses; the limits of this process leave {}", name,
         formatBytes(kCompilingBytes), formatBytes(left));
}

/// Adds the option that enables __int128, if the source uses it.
void addWideWords(const CompileRequest &request, std::vector<std::string> &options) {
  if (request.source.find("__int128") != std::string::npos)
    options.push_back("--device-int128");
}

} // namespace

std::string_view generatedPart(std::string_view source) {
  const size_t mark = source.find(kGeneratedMark);
  return mark == std::string_view::npos ? source : source.substr(mark);
}

NvrtcCompiler::NvrtcCompiler() : nvrtc_(openNvrtc()) {
  if (!nvrtc_.library.isOpen())
    fail(ErrorKind::Device, "{}", nvrtcMissingMessage());
  const auto require = [this](bool worked, const char *otherwise) {
    if (!worked) // fails when memory is short
      fail(ErrorKind::Device, "{} {}", nvrtc_.library.name(), otherwise);
  };
  int major = 0, minor = 0, count = 0;
  require(nvrtc_.version(&major, &minor) == 0, "gives no version");
  require(nvrtc_.numSupportedArchs(&count) == 0 && count > 0, "names no architecture");
  version_ = fmt::format("{}.{}", major, minor);
  std::vector<int> archs(static_cast<size_t>(count));
  require(nvrtc_.supportedArchs(archs.data()) == 0, "names no architecture");
  std::sort(archs.begin(), archs.end());
  for (const int arch : archs)
    architectures_.push_back(fmt::format("sm_{}", arch));
}

bool NvrtcCompiler::available() { return openNvrtc().library.isOpen(); }

std::vector<std::string> NvrtcCompiler::options(const std::string &arch) const {
  std::vector<std::string> list = {"--gpu-architecture=" + arch, "--std=c++17",
                                   "--ptxas-options=-v", "--fmad=true"};
  // NVRTC 12.9 and later keep a cache, whose hits have no resource report.
  if (std::stoi(version_) >= 13)
    list.push_back("--no-cache");
  return list;
}

NvrtcCompiler::Output NvrtcCompiler::run(const CompileRequest &request,
                                         std::vector<std::string> options, bool ptx) const {
  requireAddresses(request.name);
  NvrtcProgram program = nullptr;
  const std::string file = request.name + ".cu";
  const int created =
      nvrtc_.createProgram(&program, request.source.c_str(), file.c_str(), 0, nullptr, nullptr);
  if (created != 0)
    fail(ErrorKind::Device, "NVRTC cannot take the source of {}: {}", request.name,
         nvrtc_.errorString(created));
  const auto destroy = [this](NvrtcProgram *handle) { nvrtc_.destroyProgram(handle); };
  const std::unique_ptr<NvrtcProgram, decltype(destroy)> guard(&program, destroy);

  std::vector<const char *> arguments;
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  const int status =
      nvrtc_.compileProgram(program, static_cast<int>(arguments.size()), arguments.data());

  Output output;
  size_t bytes = 0;
  if (nvrtc_.getLogSize(program, &bytes) == 0 && bytes > 1) {
    output.log.resize(bytes);
    nvrtc_.getLog(program, output.log.data());
    output.log.resize(bytes - 1); // the terminating zero
  }
  if (status != 0 && request.foreign)
    fail(ErrorKind::BadInput, "{} does not compile for {}: {}\n{}", request.name, request.arch,
         nvrtc_.errorString(status), output.log);
  if (status != 0)
    fail(ErrorKind::Internal, "{} does not compile for {}: {}\n{}\n{}", request.name, request.arch,
         nvrtc_.errorString(status), output.log, generatedPart(request.source));
  const auto size = ptx ? nvrtc_.getPtxSize : nvrtc_.getCubinSize;
  const auto get = ptx ? nvrtc_.getPtx : nvrtc_.getCubin;
  const auto require = [&request](bool worked) {
    if (!worked)
      fail(ErrorKind::Device, "NVRTC gives no image for {}", request.name);
  };
  require(size(program, &bytes) == 0 && bytes > 0);
  output.image.resize(bytes);
  require(get(program, output.image.data()) == 0);
  return output;
}

CompiledKernel NvrtcCompiler::compile(const CompileRequest &request) const {
  if (std::find(architectures_.begin(), architectures_.end(), request.arch) == architectures_.end())
    fail(ErrorKind::Device, "NVRTC {} cannot compile for {}; it knows {}", version_, request.arch,
         fmt::join(architectures_, ", "));
  std::vector<std::string> list = options(request.arch);
  addWideWords(request, list);
  Output output = run(request, std::move(list), false);
  CompiledKernel kernel;
  kernel.cubin = std::move(output.image);
  kernel.usage = parseResourceReport(output.log);
  kernel.log = std::move(output.log);
  return kernel;
}

std::string NvrtcCompiler::compileToPtx(const CompileRequest &request) const {
  std::string arch = request.arch;
  if (arch.starts_with("sm_"))
    arch.replace(0, 3, "compute_");
  std::vector<std::string> list = {"--gpu-architecture=" + arch, "--std=c++17"};
  addWideWords(request, list);
  Output output = run(request, std::move(list), true);
  while (!output.image.empty() && output.image.back() == '\0')
    output.image.pop_back();
  return output.image;
}

std::unique_ptr<Compiler> openNvrtcCompiler() { return std::make_unique<NvrtcCompiler>(); }

} // namespace mpf
