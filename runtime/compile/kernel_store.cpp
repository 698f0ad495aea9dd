#include "runtime/compile/kernel_store.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/identifier.h"
#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/thread_count.h"
#include "dsl/support/system/thread_group.h"
#include "runtime/compile/cache_key.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

namespace mpf {

namespace {

/// Writes a disk entry: the log's length, the log (which holds the resource report), the image.
std::string packEntry(const CompiledKernel &kernel) {
  return fmt::format("{}\n{}{}", kernel.log.size(), kernel.log, kernel.cubin);
}

std::optional<CompiledKernel> unpackEntry(const std::string &entry) {
  const size_t newline = entry.find('\n');
  if (newline == std::string::npos || newline > 12)
    return std::nullopt;
  const size_t logBytes = std::strtoull(entry.c_str(), nullptr, 10);
  if (newline + 1 + logBytes >= entry.size())
    return std::nullopt;
  CompiledKernel kernel;
  kernel.log = entry.substr(newline + 1, logBytes);
  kernel.cubin = entry.substr(newline + 1 + logBytes);
  kernel.usage = parseResourceReport(kernel.log);
  kernel.fromCache = true;
  return kernel;
}

/// Returns the path of the kernel's files without extension. A kernel's name becomes part of a path
/// only here, because names from bundles may hold anything.
std::string stemIn(const std::string &folder, const CompileRequest &request) {
  if (!isIdentifier(request.name) || !isIdentifier(request.arch))
    fail(ErrorKind::BadInput,
         "a kernel can have a file in {} only if its name and architecture are identifiers",
         folder);
  return fmt::format("{}/{}", folder, request.name);
}

/// Returns the contents of a file in the folder, or none if there is no such file.
std::optional<std::string> textOfUser(const std::string &folderPath, const std::string &path) {
  const TrustedPath folder(folderPath, PathKind::Folder);
  requireTrust(folder, folderPath);
  const TrustedPath file(folder.heldPath() + path.substr(folderPath.size()), PathKind::File);
  if (file.trust() == PathTrust::Missing)
    return std::nullopt;
  requireTrust(file, path);
  return readFile(file.heldPath());
}

} // namespace

KernelStore::KernelStore(CompilerOpener opener, KernelStoreOptions options)
    : opener_(std::move(opener)), options_(std::move(options)),
      disk_(options_.cacheFolder.empty() ? DiskCache::defaultFolder() : options_.cacheFolder,
            options_.cacheLimitBytes) {}

KernelStore::~KernelStore() = default;

const Compiler &KernelStore::compiler() {
  const std::lock_guard lock(mutex_);
  if (!compiler_)
    compiler_ = opener_();
  return *compiler_;
}

std::optional<CompiledKernel> KernelStore::load(const Hash128 &key) const {
  const auto from = [&](const DiskCache &folder) {
    const std::optional<std::string> entry = folder.load(key, options_.kind);
    return entry ? unpackEntry(*entry) : std::nullopt;
  };
  if (std::optional<CompiledKernel> kernel = from(disk_);
      kernel || options_.kind != CacheKind::Cubin)
    return kernel;
  const std::string shipped = DiskCache::shippedFolder();
  return shipped.empty() ? std::nullopt : from(DiskCache(shipped));
}

CompiledKernel KernelStore::obtain(CompileRequest request) {
  const std::string path =
      options_.overrideFolder.empty() ? "" : stemIn(options_.overrideFolder, request) + ".cu";
  std::optional<std::string> text;
  if (!path.empty())
    text = textOfUser(options_.overrideFolder, path);
  const bool overridden = text.has_value();
  if (overridden)
    request.source = *std::move(text);
  const Compiler &with = compiler();
  const Hash128 key = cacheKey(request, with.options(request.arch), with.version());
  if (options_.useDisk)
    if (std::optional<CompiledKernel> kernel = load(key)) {
      ++diskHits_;
      dump(request, *kernel, overridden);
      kernel->source = std::move(request.source);
      return *std::move(kernel);
    }
  if (options_.forbidCompiling)
    fail(ErrorKind::Device, "kernel {} for {} is not in the cache and compiling is forbidden",
         request.name, request.arch);
  if (!options_.noCompilingBecause.empty())
    fail(ErrorKind::Device, "{}: {}", request.name, options_.noCompilingBecause);
  CompiledKernel kernel;
  try {
    kernel = with.compile(request);
  } catch (const Error &error) {
    if (!overridden || error.kind() != ErrorKind::Internal)
      throw;
    throw Error(ErrorKind::BadInput, path + ": " + error.what()); // mpf did not emit this text
  }
  ++compiled_;
  dump(request, kernel, overridden);
  if (options_.useDisk && disk_.store(key, packEntry(kernel), options_.kind))
    ++stored_;
  kernel.source = std::move(request.source);
  return kernel;
}

void KernelStore::discard(const CompileRequest &request) {
  const Compiler &with = compiler();
  if (options_.useDisk)
    disk_.remove(cacheKey(request, with.options(request.arch), with.version()), options_.kind);
}

void KernelStore::dump(const CompileRequest &request, const CompiledKernel &kernel,
                       bool overridden) const {
  if (options_.dumpFolder.empty())
    return;
  const std::string stem = stemIn(options_.dumpFolder, request);
  std::error_code status; // the write below reports the fault
  std::filesystem::create_directories(options_.dumpFolder, status);
  writeFile(stem + ".cu", overridden ? request.source : request.source + options_.dumpedBehind);
  writeFile(fmt::format("{}.{}.log", stem, request.arch), kernel.log);
}

std::vector<CompiledKernel> KernelStore::compileAll(const std::vector<CompileRequest> &requests) {
  std::vector<CompiledKernel> kernels;
  for (CompileOutcome &outcome : compileEach(requests)) {
    if (outcome.problem)
      std::rethrow_exception(outcome.problem);
    kernels.push_back(std::move(outcome.kernel));
  }
  return kernels;
}

std::vector<CompileOutcome> KernelStore::compileEach(const std::vector<CompileRequest> &requests) {
  if (!options_.overrideFolder.empty()) {
    std::error_code status;
    if (!std::filesystem::is_directory(options_.overrideFolder, status))
      fail(ErrorKind::BadInput, "{}: there is no such folder of kernels", options_.overrideFolder);
    requireTrust(TrustedPath(options_.overrideFolder, PathKind::Folder), options_.overrideFolder);
  }
  // Keeps equal (source, arch) once, in the order of the requests, so that counters do not depend
  // on threads.
  std::map<std::pair<std::string, std::string>, size_t> seen;
  std::vector<size_t> distinct, slotOf(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto [at, isNew] =
        seen.try_emplace({requests[i].source, requests[i].arch}, distinct.size());
    slotOf[i] = at->second;
    if (isNew)
      distinct.push_back(i);
  }

  std::vector<CompileOutcome> outcomes(distinct.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < distinct.size(); i = next++) {
      try {
        outcomes[i].kernel = obtain(requests[distinct[i]]);
      } catch (...) {
        outcomes[i].problem = std::current_exception();
      }
    }
  };
  const size_t wanted = std::min<size_t>(threadCount(options_.threads), distinct.size());
  const size_t count = wanted > 1 ? 1 + helpersWithin(wanted - 1) : wanted;
  ThreadGroup threads;
  threads.start(count > 1 ? count - 1 : 0, [&work] { work(); });
  work();
  threads.join();

  std::vector<CompileOutcome> result;
  for (const size_t slot : slotOf)
    result.push_back(outcomes[slot]);
  return result;
}

CacheCounters KernelStore::counters() const { return {diskHits_, compiled_, stored_}; }

} // namespace mpf
