// Program: constructs and checks, saves and loads programs. It knows bundles only; the compiler is
// in runtime/library/jit.cpp.
#include "codegen/bundle/forms/program_file.h"
#include "codegen/bundle/head/answered_queries.h"
#include "codegen/bundle/verify_bundle.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/session.h"
#include "runtime/session/kernel_check.h"
#include "runtime/session/open_executor.h"
#include "runtime/session/verified_program.h"

#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

Program::Program(std::shared_ptr<const Bundle> bundle) : bundle_(std::move(bundle)) {
  namingMemory([&] { return "checking query " + bundle_->name; }, [&] { verifyBundle(*bundle_); });
}

Program VerifiedPrograms::of(std::shared_ptr<const Bundle> bundle) {
  Program program;
  program.bundle_ = std::move(bundle);
  return program;
}

const std::string &Program::query() const { return bundle_->name; }

std::vector<std::string> Program::queries() const { return answeredQueries(*bundle_); }

std::vector<VariableInfo> Program::variables() const {
  std::vector<VariableInfo> variables;
  std::vector<bool> isObserved(bundle_->variables.size(), false);
  for (const Finding &finding : bundle_->declaredEvidence().findings)
    isObserved[finding.variable.index()] = true;
  for (size_t v = 0; v < bundle_->variables.size(); ++v)
    if (const HeadVariable &variable = bundle_->variables[v]; !variable.auxiliary)
      variables.push_back({variable.name, variable.labels, variable.extent, isObserved[v]});
  return variables;
}

std::vector<InputInfo> Program::inputs() const {
  std::vector<InputInfo> inputs;
  std::unordered_set<std::string_view> seen; // a factor may have several tables
  for (const BundleInput &input : bundle_->inputs) {
    const bool isFinal = bundle_->answer && input.table;
    if (input.raw || isFinal || !seen.insert(input.factor).second)
      continue;
    InputInfo &info = inputs.emplace_back();
    info.factor = input.factor;
    info.hasValues = input.table.has_value();
    for (const VarId id : input.scope) {
      info.variables.push_back(bundle_->variables[id.index()].name);
      info.sizeElems = saturatingMul(info.sizeElems, bundle_->variables[id.index()].extent);
    }
  }
  return inputs;
}

std::vector<std::vector<uint32_t>> Program::products() const {
  std::vector<std::optional<uint32_t>> tables(bundle_->buffers.size()); // none: a part of no factor
  std::unordered_map<std::string_view, uint32_t> numbers;
  const std::vector<InputInfo> factors = inputs();
  for (const InputInfo &input : factors)
    numbers.emplace(input.factor, numbers.size());
  for (const BundleInput &input : bundle_->inputs)
    if (const auto found = numbers.find(input.factor); found != numbers.end())
      tables[input.buffer.index()] = found->second;
  std::vector<std::vector<uint32_t>> products;
  for (const BundleOperation &operation : bundle_->operations) {
    std::set<uint32_t> read;
    for (const BundleAccess &operand : operation.operands)
      if (const auto table = tables[operand.buffer.index()])
        read.insert(*table);
    std::optional<uint32_t> &result = tables[operation.result.buffer.index()];
    if (read.size() < 2) {
      result = read.empty() ? std::nullopt : std::optional(*read.begin());
      continue;
    }
    result = static_cast<uint32_t>(factors.size() + products.size());
    products.emplace_back(read.begin(), read.end());
  }
  return products;
}

void Program::save(const std::string &path) const {
  namingMemory([&] { return "saving query " + bundle_->name; },
               [&] { writeProgram(path, *bundle_); });
}

std::string Program::bytes() const {
  return namingMemory([&] { return "the bytes of query " + bundle_->name; },
                      [&] { return programBytes(*bundle_); });
}

double predictSeconds(const Program &program, const SessionOptions &options) {
  constexpr double kUsPerSecond = 1e6;
  return namingMemory([&] { return "predicting query " + program.bundle().name; },
                      [&] { return predictRun(program.bundle(), options).timeUs / kUsPerSecond; });
}

#pragma weak mpfAdoptKernels // null in programs that link mpf::runtime only: they have no compiler

Program loadedProgram(Bundle bundle, const std::string &name, const LoadOptions &options) {
  if (options.trust)
    bundle.foreignKernels = false;
  else if (bundle.foreignKernels && mpfAdoptKernels != nullptr)
    mpfAdoptKernels(bundle, name);
  return Program(std::make_shared<const Bundle>(std::move(bundle)));
}

Program loadProgram(const std::string &path, const LoadOptions &options) {
  return namingMemory([&] { return "reading " + path; },
                      [&] { return loadedProgram(readAs<Bundle>(path), path, options); });
}

Program loadProgramBytes(std::string_view bytes, const LoadOptions &options) {
  return namingMemory([] { return "reading the bytes of a program"; },
                      [&] { return loadedProgram(parseAs<Bundle>(bytes), "bytes", options); });
}

} // namespace mpf
