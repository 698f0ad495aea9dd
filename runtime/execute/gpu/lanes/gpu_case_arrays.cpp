#include "runtime/execute/gpu/lanes/gpu_case_arrays.h"

#include "dsl/support/check.h"
#include "runtime/execute/gpu/compiled_module.h"

#include <algorithm>
#include <string_view>

namespace mpf {

extern const std::string_view kCaseArraysText;

std::string caseArraysSource() { return std::string(kCaseArraysText); }

std::string caseArraysName() { return "case_arrays"; }

namespace {

/// Memory for the codes and results of a part: large enough that launches cost nothing.
constexpr uint64_t kPartBytes = uint64_t{256} << 20;
constexpr uint64_t kLeastCases = uint64_t{1} << 15, kMostCases = uint64_t{1} << 20;

void requireItem(uint64_t address, int64_t stride, uint32_t bytes, std::string_view what) {
  if (address == 0 || address % bytes != 0 || stride % int64_t{bytes} != 0)
    fail(ErrorKind::Usage, "{} lie at {:#x}, {} bytes apart: multiples of {} are needed", what,
         address, stride, bytes);
}

GpuCaseColumn cellsOf(const DeviceColumn &column, uint32_t states, bool hasCases) {
  const bool isReal = column.number == DeviceNumber::Float;
  int32_t bytesLog = 0;
  while (bytesLog < 4 && 1u << bytesLog != column.itemBytes)
    ++bytesLog;
  if (bytesLog > 3 || (isReal && bytesLog < 2))
    fail(ErrorKind::Unsupported, "column {}: numbers of {} bytes", column.column, column.itemBytes);
  if (hasCases)
    requireItem(column.cells, column.strideBytes, column.itemBytes, "the numbers of a column");
  GpuCaseColumn cells;
  cells.cells = column.cells;
  cells.stride = column.strideBytes;
  cells.item = 4 * static_cast<int32_t>(column.number) + bytesLog;
  cells.states = static_cast<int32_t>(states);
  return cells;
}

} // namespace

std::vector<GpuCaseColumn> packedColumns(const DeviceCaseArrays &arrays, const CaseSchema &schema,
                                         const LaneKernel &kernel) {
  const size_t count = schema.observed.size();
  std::vector<GpuCaseColumn> given(count);
  std::vector<char> isGiven(count, 0);
  for (size_t c = 0; c < count; ++c)
    given[c].states = given[c].fill = static_cast<int32_t>(schema.observed[c].extent);
  const auto take = [&](size_t column) {
    if (column >= count || isGiven[column] != 0)
      fail(ErrorKind::Usage, "column {} of {} is {}", column, count,
           column >= count ? "none" : "given twice");
    isGiven[column] = 1;
  };
  for (const DeviceColumn &column : arrays.columns) {
    take(column.column);
    given[column.column] =
        cellsOf(column, schema.observed[column.column].extent, arrays.count != 0);
  }
  for (const DeviceFinding &finding : arrays.findings) {
    take(finding.column);
    if (finding.code > schema.observed[finding.column].extent)
      fail(ErrorKind::Usage, "code {} in column {} of {} states", finding.code, finding.column,
           schema.observed[finding.column].extent);
    given[finding.column].fill = static_cast<int32_t>(finding.code);
  }

  std::vector<GpuCaseColumn> packed;
  const uint32_t bits = 32 / kernel.codesPerWord;
  for (uint32_t place = 0; place < kernel.codeOrder.size(); ++place) {
    GpuCaseColumn &column = packed.emplace_back(given[kernel.codeOrder[place]]);
    column.place = static_cast<int32_t>(place % kernel.codesPerWord * bits);
  }
  return packed;
}

namespace {

GpuCaseTable tableOf(const DeviceTable &wanted, const LaneProgram &program, const LinearPlan &plan,
                     const DeviceCaseLayout &layout) {
  if (wanted.table >= layout.tables.size())
    fail(ErrorKind::Usage, "table {} of {}", wanted.table, layout.tables.size());
  const DeviceCaseLayout::Table &from = layout.tables[wanted.table];
  requireItem(wanted.to, 0, sizeof(double), "answers");
  GpuCaseTable table;
  table.to = wanted.to;
  table.stride = wanted.rowElems;
  table.firstRow = static_cast<int64_t>(from.firstRow);
  table.rows = static_cast<int32_t>(from.rows);
  table.exponent = from.exponent;
  table.exponentRow = from.exponentRow ? static_cast<int32_t>(*from.exponentRow) : -1;
  table.kind = from.isPosterior     ? GpuCaseTable::Posterior
               : wanted.isLogarithm ? GpuCaseTable::Log
                                    : GpuCaseTable::Value;
  table.isLog = wanted.isLogarithm ? 1 : 0;
  const ElementType type = layout.isDouble ? ElementType::F64 : ElementType::F32;
  table.mayVanish = mayVanish(program, plan, wanted.table, type) ? 1 : 0;
  const bool isEven = table.rows % 2 == 0 && table.stride % 2 == 0;
  table.isEven = isEven && table.to % (2 * sizeof(double)) == 0 ? 1 : 0;
  return table;
}

/// Adds the states of variables: those that lanes decode, and those that are known.
void addStates(uint64_t to, const LaneProgram &program, std::vector<GpuCaseTable> &tables) {
  requireItem(to, 0, sizeof(int32_t), "states");
  const size_t variables = program.variables.size();
  std::vector<char> isDecoded(variables, 0);
  for (const LaneTraceback &step : program.traceback)
    isDecoded[step.variable.index()] = 1;
  const std::vector<uint32_t> fixed = statesByVariable(program.evidence, variables);
  for (size_t v = 0; v < variables; ++v) {
    const int64_t known = isDecoded[v] != 0 ? 0 : fixed[v];
    const int32_t kind = isDecoded[v] != 0 ? GpuCaseTable::States : GpuCaseTable::Fill;
    GpuCaseTable *const last = tables.empty() ? nullptr : &tables.back();
    if (v != 0 && last->kind == kind && last->exponent == known) {
      ++last->rows;
      continue;
    }
    tables.push_back({to + v * sizeof(int32_t), static_cast<int64_t>(variables),
                      static_cast<int64_t>(v), known, 1, kind});
  }
}

} // namespace

std::vector<GpuCaseTable> writtenTables(const DeviceCaseArrays &arrays, const LaneProgram &program,
                                        const LinearPlan &plan, const DeviceCaseLayout &layout) {
  std::vector<GpuCaseTable> tables;
  if (arrays.count == 0)
    return tables;
  if (arrays.states != 0) {
    if (layout.stateRows == 0)
      fail(ErrorKind::Usage, "query {} decodes no states", program.name);
    addStates(arrays.states, program, tables);
  }
  for (const DeviceTable &wanted : arrays.tables)
    tables.push_back(tableOf(wanted, program, plan, layout));
  return tables;
}

GpuCaseArrays::GpuCaseArrays(LaneLauncher &launcher, const KernelStoreOptions &kernels,
                             DeviceCaseLayout layout)
    : launcher_(launcher), device_(launcher.device()), kernel_(launcher.kernel()),
      layout_(std::move(layout)), counts_(device_, sizeof(DeviceCaseCounts)), end_(device_) {
  module_ =
      compiledModule(device_, forAnyProgram(kernels), caseArraysName(), caseArraysSource(), true);
  packAny_ = module_->function("mpf_pack_cases", 0);
  packColumns_ = module_->function("mpf_pack_columns", 0);
  packRows_ = module_->function("mpf_pack_rows", kCaseTileBytes);
  packWideRows_ = module_->function("mpf_pack_wide_rows", kCaseTileBytes);
  write_ = module_->function("mpf_write_answers", 0);
  counts_.fill(0);
  device_.synchronize();
}

/// Makes room for a part of at most `cases` cases.
void GpuCaseArrays::reserve(uint64_t cases) {
  const LaneCaseSize &size = launcher_.caseSize();
  const uint64_t fitting =
      std::clamp(kPartBytes / std::max<uint64_t>(size.sum(), 1), kLeastCases, kMostCases);
  const uint64_t wanted =
      (std::min(cases, fitting) + kCaseThreads - 1) / kCaseThreads * kCaseThreads;
  if (wanted <= cases_.pitch && wanted <= flags_.sizeBytes())
    return;
  end_.await(device_.stream(), false);
  device_.synchronize(); // the list before uses the memory that is freed
  flags_ = DeviceMemory();
  flags_ = DeviceMemory(device_, wanted); // before the pitch says that there is room
  cases_.reserve(device_, size, wanted);
}

/// Whether a kernel that reads rows can write all answers itself.
bool GpuCaseArrays::writesLogs(const std::vector<GpuCaseTable> &tables) const {
  return tables.size() == 1 && kernel_.resultElems == 1 && tables[0].kind == GpuCaseTable::Log &&
         tables[0].exponentRow < 0;
}

void GpuCaseArrays::answer(const std::vector<GpuCaseColumn> &columns,
                           const std::vector<GpuCaseTable> &tables, const LanePointers &part,
                           CudaStreamHandle stream) const {
  const GpuPackForm form = packFormOf(columns, kernel_);
  if (!launcher_.readsRows(form)) {
    pack(columns, form, part, stream);
    launcher_.launch(part, stream);
    return write(tables, part, stream);
  }
  GpuLaneRows rows = laneRowsOf(columns, form, kernel_);
  rows.flags = flags_.address();
  rows.counts = counts_.address();
  if (writesLogs(tables)) {
    rows.logs = tables[0].to;
    rows.logStrideElems = tables[0].stride;
    rows.exponent = static_cast<double>(tables[0].exponent);
  }
  launcher_.launchRows(rows, part, stream);
  if (rows.logs == 0)
    write(tables, part, stream);
}

void GpuCaseArrays::pack(const std::vector<GpuCaseColumn> &columns, const GpuPackForm &form,
                         const LanePointers &part, CudaStreamHandle stream) const {
  const size_t words = kernel_.wordCount();
  const size_t most = kCaseColumns / std::max(kernel_.codesPerWord, 4u);
  size_t first = 0;
  do {
    const size_t count = std::min(most, words - first);
    GpuPackLaunch arguments;
    arguments.words = part.codes + first * part.pitch * sizeof(uint32_t);
    arguments.flags = flags_.address();
    arguments.counts = counts_.address();
    arguments.rows = form.rows;
    arguments.pitch = static_cast<int64_t>(part.pitch);
    arguments.count = static_cast<int32_t>(part.count);
    arguments.wordCount = static_cast<int32_t>(count);
    arguments.isFirst = first == 0 ? 1 : 0;
    arguments.isLast = first + count == words ? 1 : 0;
    arguments.isUnsigned = form.isUnsigned ? 1 : 0;
    arguments.rowBytes = form.rowBytes;
    arguments.tileRows = form.tileRows;
    arguments.spanBytes = form.spanBytes;
    arguments.codesPerWord = static_cast<int32_t>(kernel_.codesPerWord);
    if (form.kind == GpuPackForm::Any || form.kind == GpuPackForm::WideRows) {
      const size_t begin = first * kernel_.codesPerWord;
      const size_t end = std::min(columns.size(), (first + count) * kernel_.codesPerWord);
      arguments.columnCount = static_cast<int32_t>(end - begin);
      std::copy(columns.begin() + static_cast<ptrdiff_t>(begin),
                columns.begin() + static_cast<ptrdiff_t>(end), arguments.columns);
    } else {
      std::ranges::copy(byteWordsOf(columns, form, first, count), arguments.bytes);
    }
    launchPack(form, arguments, stream);
    first += count;
  } while (first < words);
}

void GpuCaseArrays::launchPack(const GpuPackForm &form, GpuPackLaunch &arguments,
                               CudaStreamHandle stream) const {
  void *pointers[] = {&arguments};
  const auto [kernel, name] = [&] {
    switch (form.kind) {
    case GpuPackForm::Any:
      return std::pair(packAny_, "mpf_pack_cases");
    case GpuPackForm::Columns:
      return std::pair(packColumns_, "mpf_pack_columns");
    case GpuPackForm::Rows:
      return std::pair(packRows_, "mpf_pack_rows");
    case GpuPackForm::WideRows:
      return std::pair(packWideRows_, "mpf_pack_wide_rows");
    }
    fail(ErrorKind::Internal, "no kernel packs columns of form {}", int{form.kind});
  }();
  const uint64_t blocks =
      (static_cast<uint64_t>(arguments.count) + form.cases() - 1) / form.cases();
  device_.launch(kernel, {blocks, kCaseThreads, form.sharedBytes()}, pointers, name, stream);
}

void GpuCaseArrays::write(const std::vector<GpuCaseTable> &tables, const LanePointers &part,
                          CudaStreamHandle stream) const {
  for (size_t first = 0; first < tables.size(); first += kCaseTables) {
    const size_t count = std::min(kCaseTables, tables.size() - first);
    GpuAnswerLaunch arguments;
    arguments.results = part.results;
    arguments.exponents = part.exponents;
    arguments.states = part.states;
    arguments.flags = flags_.address();
    arguments.counts = counts_.address();
    arguments.pitch = static_cast<int64_t>(part.pitch);
    arguments.count = static_cast<int32_t>(part.count);
    arguments.tableCount = static_cast<int32_t>(count);
    arguments.isDouble = layout_.isDouble ? 1 : 0;
    std::copy_n(tables.begin() + static_cast<ptrdiff_t>(first), count, arguments.tables);
    const uint64_t blocks = (part.count + kAnswerCases - 1) / kAnswerCases;
    arguments.tableBlocks = static_cast<int32_t>(blocks);
    void *pointers[] = {&arguments};
    device_.launch(write_, {blocks * count, kCaseThreads, 0}, pointers, "mpf_write_answers",
                   stream);
  }
}

void GpuCaseArrays::run(const DeviceCaseArrays &arrays, CudaStreamHandle stream) {
  const LaneProgram &program = launcher_.program();
  std::vector<GpuCaseColumn> columns = packedColumns(arrays, program.schema, kernel_);
  std::vector<GpuCaseTable> tables = writtenTables(arrays, program, launcher_.plan(), layout_);
  const std::lock_guard lock(mutex_);
  reserve(arrays.count);
  end_.await(stream, false); // the list before uses the same memory
  struct Ending {            // also after an error: parts before it are still in work
    const StreamMark &end;
    CudaStreamHandle stream;
    ~Ending() {
      try {
        end.set(stream);
      } catch (const Error &) { // the device has failed: so do all later calls
      }
    }
  };
  const Ending ending{end_, stream};
  for (uint64_t done = 0; done < arrays.count;) {
    LanePointers part = cases_.pointers();
    part.count = static_cast<uint32_t>(std::min(arrays.count - done, cases_.pitch));
    answer(columns, tables, part, stream);
    for (GpuCaseColumn &column : columns)
      column.cells += column.cells == 0 ? 0 : static_cast<uint64_t>(column.stride * part.count);
    for (GpuCaseTable &table : tables)
      table.to += static_cast<uint64_t>(table.stride) * part.count *
                  (table.kind >= GpuCaseTable::States ? sizeof(int32_t) : sizeof(double));
    done += part.count;
  }
}

DeviceCaseCounts GpuCaseArrays::counts() {
  const std::lock_guard lock(mutex_);
  DeviceCaseCounts counts;
  end_.await(device_.stream(), false);
  counts_.download(&counts, sizeof(counts));
  device_.synchronize();
  return counts;
}

} // namespace mpf
