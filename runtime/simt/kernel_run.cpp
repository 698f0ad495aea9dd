#include "runtime/simt/kernel_run.h"

#include "codegen/bundle/kernel_interface.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/kernel_emitters.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/preambles.h"
#include "dsl/support/counts.h"
#include "runtime/simt/memory.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace mpf::simt {

namespace {

/// The byte that fills unwritten entries: NaN, or the greatest whole number.
constexpr std::byte kUnwritten{0xff};

double rounded(double value, ElementType type) {
  return type == ElementType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Calls f(T{}) for the entry type T.
template <class F> auto withEntryType(ElementType type, const F &f) {
  switch (type) {
  case ElementType::F32:
    return f(float{});
  case ElementType::F64:
    return f(double{});
  case ElementType::U64:
    return f(uint64_t{});
  case ElementType::U128:
    break;
  }
  return f(Uint128{});
}

std::vector<std::byte> toBytes(const std::vector<double> &entries, ElementType type) {
  return withEntryType(type, [&](auto zero) {
    std::vector<std::byte> bytes(entries.size() * sizeof zero);
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto entry = static_cast<decltype(zero)>(entries[i]);
      std::memcpy(bytes.data() + i * sizeof entry, &entry, sizeof entry);
    }
    return bytes;
  });
}

std::vector<double> fromBytes(const std::vector<std::byte> &bytes, ElementType type) {
  return withEntryType(type, [&](auto entry) {
    std::vector<double> entries(bytes.size() / sizeof entry);
    for (size_t i = 0; i < entries.size(); ++i) {
      std::memcpy(&entry, bytes.data() + i * sizeof entry, sizeof entry);
      entries[i] = static_cast<double>(entry);
    }
    return entries;
  });
}

std::vector<bool> writtenEntries(const std::vector<std::byte> &bytes, size_t entryBytes) {
  std::vector<bool> written(bytes.size() / entryBytes);
  for (size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != kUnwritten)
      written[i / entryBytes] = true;
  return written;
}

std::string sourceOf(const std::vector<TestKernel> &kernels) {
  std::vector<KernelPlan> plans;
  for (const TestKernel &test : kernels)
    plans.push_back(test.plan);
  std::string source = cudaPreamble(plans);
  for (const TestKernel &test : kernels)
    source += '\n' + test.kernel.text;
  return source;
}

/// Returns the array or buffer that each site may touch: "segment f" -> "segment f", "operand f" ->
/// "f".
std::vector<std::string> touchedBySites(const EmittedKernel &kernel) {
  std::vector<std::string> objects(kFirstKernelSite + kernel.sites.size());
  objects[1] = objects[2] = "states";
  for (const Site &site : kernel.sites) {
    const size_t space = site.object.find(' ');
    const bool segment = site.object.starts_with("segment");
    objects[site.number] =
        segment ? site.object : site.object.substr(space == std::string::npos ? 0 : space + 1);
  }
  return objects;
}

Launch launchOf(const TestKernel &test) {
  Launch launch;
  launch.gridBlocks = test.header().launch.gridBlocks;
  launch.blockThreads = test.header().launch.blockThreads;
  launch.sharedBytes = test.header().launch.sharedBytes;
  if (test.mayTouchAnything)
    return launch;
  launch.siteObjects = touchedBySites(test.kernel);
  launch.sharedArrays = test.objects.shared;
  return launch;
}

Program::Entry entryOf(const TestKernel &test) {
  const std::string type = fmt::format("{} *", entryTypeText(test.header().type));
  Program::Entry entry{test.header().name, {}};
  for (const DigitAccess &operand : test.operation.operands)
    entry.parameters.push_back(operand.packed ? "const unsigned *" : fmt::format("const {}", type));
  entry.parameters.insert(entry.parameters.end(), {type, "MpfTableState *"});
  entry.parameters.insert(entry.parameters.end(), test.operation.operands.size() + 2, "int");
  return entry;
}

} // namespace

KernelTable KernelTable::linear(const std::vector<double> &values, ElementType type,
                                int32_t scale) {
  KernelTable table;
  table.state.scale = scale;
  for (double value : values) {
    const double entry = rounded(std::ldexp(value, -scale), type);
    table.entries.push_back(entry);
    if (entry == 0)
      continue;
    const int32_t exponent = std::ilogb(entry);
    table.state.minExponent = std::min(table.state.minExponent, exponent);
    table.state.maxExponent = std::max(table.state.maxExponent, exponent);
  }
  return table;
}

KernelTable KernelTable::log(const std::vector<double> &values, ElementType type, int32_t scale) {
  KernelTable table;
  table.state.scale = scale;
  table.state.form = 1;
  for (double value : values) {
    const double entry = rounded(std::log2(value) - scale, type);
    table.entries.push_back(entry);
    if (std::isinf(entry))
      continue;
    const auto exponent = static_cast<int32_t>(std::floor(entry));
    table.state.minExponent = std::min(table.state.minExponent, exponent);
    table.state.maxExponent = std::max(table.state.maxExponent, exponent);
  }
  return table;
}

std::vector<std::byte> KernelTable::words(double zero) const {
  std::vector<uint32_t> words((entries.size() + 31) / 32, 0);
  for (size_t i = 0; i < entries.size(); ++i)
    words[i / 32] |= uint32_t{entries[i] != zero} << i % 32;
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

std::vector<long double> KernelTable::values() const {
  std::vector<long double> values;
  for (double entry : entries)
    values.push_back(state.form == 0 ? std::ldexp(static_cast<long double>(entry), state.scale)
                                     : std::exp2(static_cast<long double>(entry) + state.scale));
  return values;
}

TestKernel testKernel(const KernelPlan &plan) {
  const auto objects = [](const auto &any) { return emitterOf(any).objects(any); };
  return {plan, plan.operation(), emitCuda(plan), std::visit(objects, plan)};
}

uint64_t checkedBytes(const DigitForm &operation, ElementType type) {
  // Outside of the launch an operand has its contents and, for each entry, its value and stored
  // entry. The result has both a found and an expected value in extended precision.
  const uint64_t watched = elementBytes(type) * (1 + Memory::bytesPerByte());
  uint64_t bytes =
      saturatingMul(operation.result.sizeElems, watched + sizeof(double) + 2 * sizeof(long double));
  for (const DigitAccess &operand : operation.operands)
    bytes = saturatingAdd(bytes, saturatingMul(operand.sizeElems, watched + 2 * sizeof(double)));
  return bytes;
}

std::vector<TestKernel> testKernels(const std::vector<KernelPlan> &plans) {
  std::vector<TestKernel> kernels;
  for (const KernelPlan &plan : plans)
    kernels.push_back(testKernel(plan));
  return kernels;
}

KernelSuite::KernelSuite(std::vector<TestKernel> kernels)
    : KernelSuite(kernels, sourceOf(kernels)) {}

KernelSuite::KernelSuite(std::vector<TestKernel> kernels, const std::string &source)
    : kernels_(std::move(kernels)) {
  std::vector<Program::Entry> entries;
  for (const TestKernel &test : kernels_)
    entries.push_back(entryOf(test));
  program_ = std::make_unique<Program>(source, entries);
}

KernelRun KernelSuite::run(size_t number, const std::vector<KernelTable> &operands, int mode,
                           WaitPoint wait, std::vector<uint32_t> blocks) {
  const TestKernel &test = kernels_[number];
  const KernelHeader &plan = test.header();
  const size_t count = operands.size();
  std::vector<std::vector<std::byte>> contents;
  std::vector<TableState> states;
  const Semiring semiring = test.operation.semiring;
  for (size_t i = 0; i < count; ++i) {
    const KernelTable &operand = operands[i];
    const bool plain = operand.state.form == 0 && !addsPlainValues(semiring);
    contents.push_back(test.operation.operands[i].packed
                           ? operand.words(plain ? 0 : -std::numeric_limits<double>::infinity())
                           : toBytes(operand.entries, plan.type));
    states.push_back(operand.state);
  }
  contents.emplace_back(test.operation.result.sizeElems * elementBytes(plan.type), kUnwritten);
  states.emplace_back();
  std::vector<Buffer> buffers;
  std::vector<Argument> arguments;
  for (size_t i = 0; i <= count; ++i) {
    const bool isOperand = i < count;
    buffers.push_back(
        {isOperand ? test.objects.operands[i] : "result", contents[i], false, isOperand});
    arguments.push_back(Argument::buffer(i));
  }
  buffers.push_back({"states", std::as_writable_bytes(std::span(states))});
  arguments.push_back(Argument::buffer(count + 1));
  for (size_t i = 0; i <= count; ++i)
    arguments.push_back(Argument::number(static_cast<int>(i)));
  arguments.push_back(Argument::number(mode | waitBits(wait)));
  KernelRun run;
  Launch launch = launchOf(test);
  launch.onlyBlocks = std::move(blocks);
  run.report = program_->run(plan.name, launch, buffers, arguments);
  for (size_t i = 0; i < count; ++i)
    if (states[i] != operands[i].state)
      run.report.add(FaultKind::StoreToOperand, 0, "the state of {} was changed",
                     test.objects.operands[i]);
  run.result = {fromBytes(contents[count], plan.type), states[count]};
  run.written = writtenEntries(contents[count], elementBytes(plan.type));
  return run;
}

} // namespace mpf::simt
