#include "codegen/specialise/build_bundle.h"

#include "codegen/bundle/slice_arenas.h"
#include "codegen/bundle/verify_bundle.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/digit_form.h"
#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_copies.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/model/conditional_rows.h"
#include "dsl/support/check.h"
#include "dsl/support/hash.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <span>

namespace mpf {

static_assert(kMaxOperands == kMaxBundleOperands, "planner and executors agree on the bound");
static_assert(kMaxLoops == kMaxBundleLoops, "planner and executors agree on the loops");

namespace {

class Builder {
public:
  Builder(const Model &model, const TableProgram &program, const BundleOptions &options)
      : model_(model), program_(program), options_(options), levels_(program) {
    buffers_.reserve(program.tables.size());
    for (const ProgramTable &table : program.tables)
      buffers_.emplace_back(table.sameAs.valid() ? buffers_[table.sameAs.index()]
                                                 : BufferId(bufferCount_++));
    bundle_.name = program.name;
    bundle_.kind = program.kind;
    bundle_.type = options.type;
    bundle_.forcedLog = options.forcedLog;
    bundle_.signedValues = hasSignedProducts(program, model, options.type);
    for (uint32_t i = 0; i < levels_.count(); ++i)
      bundle_.sliced.push_back(originalOf(program, program.order[i]));
    bundle_.loops = levels_.tree();
    for (const Operation &operation : program.operations)
      bundle_.logInputs |= operation.semiring.reduce == Reduce::LogSum;
  }

  Bundle build(std::optional<PostsolveMap> answer) {
    refuseAbsurdSizes(); // before any table is made
    addVariables();
    addInputs();
    addBuffers();
    bundle_.operations.reserve(program_.operations.size());
    for (size_t i = 0; i < program_.operations.size(); ++i)
      if (program_.runs(program_.operations[i]))
        addOperation(OpId(i));
    addOutputs();
    bundle_.workArenaBytes = workBytesWithRoom(bundle_, options_.slicesAtOnce, options_.mostBytes);
    bundle_.answer = std::move(answer);
    verifyBundle(bundle_);
    return std::move(bundle_);
  }

private:
  BufferId bufferOf(TableId id) const { return buffers_[id.index()]; }
  static uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }
  void refuseAbsurdSizes() const {
    constexpr double kMostLog2Bytes = 56;
    if (log2AllBytes(program_, bundle_.type) > kMostLog2Bytes &&
        log2PeakBytes(program_, bundle_.type) > kMostLog2Bytes)
      failAddressing();
  }
  [[noreturn]] void failAddressing() const {
    fail(ErrorKind::MemoryBound, "the tables of {} need more memory than can be addressed",
         program_.name);
  }

  void addVariables() {
    bundle_.variables.reserve(model_.variables.size());
    for (const Variable &variable : model_.variables)
      bundle_.variables.push_back(
          {variable.name, variable.extent, variable.labels, variable.auxiliary, variable.unasked});
    bundle_.evidence = program_.evidence;
  }

  /// Returns the index of a table, found by address, then by contents: a bundle holds equal tables
  /// once.
  uint32_t tableIndex(const TableValues &values) {
    const auto [at, isNew] =
        tableIndices_.try_emplace(values.get(), static_cast<uint32_t>(bundle_.tables.size()));
    if (!isNew)
      return at->second;
    HashBuilder hash;
    hash.addBytes(std::as_bytes(std::span(*values)));
    std::vector<uint32_t> &alike = contentIndices_[hash.finish().low];
    for (const uint32_t index : alike)
      if (std::ranges::equal(*bundle_.tables[index], *values, {}, bitsOf, bitsOf))
        return at->second = index;
    alike.push_back(at->second);
    bundle_.tables.push_back(values);
    return at->second;
  }

  void addInputs() {
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      const ProgramTable &table = program_.tables[i];
      if (!table.isInput() || table.sameAs.valid())
        continue;
      BundleInput input;
      input.buffer = bufferOf(TableId{i});
      input.layout = storageOrder(program_, TableId{i});
      input.factor = table.name;
      if (table.factor.valid()) {
        const Factor &factor = model_.factor(table.factor);
        input.factor = factor.name;
        input.scope = factor.scope;
        input.rowElems = rowElemsOf(model_, factor);
        if (const TableValues &values = storedValues(factor); values != nullptr)
          input.table = tableIndex(values);
      } else if (table.fill) {
        input.scope = table.scope;
        input.table = tableIndex(filled(table.sizeElems, *table.fill));
      } else {
        input.layout.clear();
        input.raw = true;
        input.table = tableIndex(identity(table));
      }
      bundle_.inputs.push_back(std::move(input));
    }
  }

  /// Returns a table of one value for variables in no factor. These are few and small, shared by
  /// content.
  TableValues filled(uint64_t elems, double value) {
    TableValues &values = filled_[{elems, value}];
    if (values == nullptr)
      values = std::make_shared<const std::vector<double>>(elems, value);
    return values;
  }

  /// Returns the identity in the values of the query: 1 and 0, or their logarithms.
  const TableValues &identity(const ProgramTable &table) {
    const uint64_t extent = program_.variables[table.scope[0].index()].extent;
    TableValues &known = identities_[extent];
    if (known != nullptr)
      return known;
    const double one = bundle_.logInputs ? 0 : 1;
    const double zero = bundle_.logInputs ? -std::numeric_limits<double>::infinity() : 0;
    auto values = std::make_shared<std::vector<double>>(table.sizeElems, zero);
    for (uint64_t state = 0; state < extent; ++state)
      (*values)[state * extent + state] = one;
    return known = std::move(values);
  }

  void addBuffers() {
    const MemoryPlan memory = planMemory(program_, bundle_.type, bundle_.signedValues);
    if (memory.peakBytes == UINT64_MAX)
      failAddressing();
    bundle_.buffers.reserve(bufferCount_);
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      const ProgramTable &table = program_.tables[i];
      if (!table.sameAs.valid())
        bundle_.buffers.push_back(
            {table.name, table.sizeElems, memory.offsetBytes[i], table.isInput(), table.packed});
    }
    bundle_.inputArenaBytes = memory.inputArenaBytes;
    bundle_.workArenaBytes = memory.workArenaBytes;
  }

  void addOperation(OpId id) {
    DigitForm form = buildDigitForm(program_, id);
    BundleOperation operation;
    operation.name = program_.table(program_.operation(id).result).name;
    operation.semiring = form.semiring;
    operation.digits.assign(form.digits.begin(), form.digits.end());
    operation.operands.reserve(form.operands.size());
    for (DigitAccess &operand : form.operands)
      operation.operands.push_back({bufferOf(operand.table), std::move(operand.stridesElems),
                                    sliceStridesElems(program_, levels_, operand.table)});
    operation.result = {bufferOf(form.result.table), std::move(form.result.stridesElems), {}};
    operation.loop = levels_.ofOperation(program_.operation(id));
    operation.accumulates = levels_.accumulates(program_.operation(id));
    bundle_.operations.push_back(std::move(operation));
  }

  std::vector<VarId> originals(std::vector<VarId> scope) const {
    for (VarId &id : scope)
      id = originalOf(program_, id);
    return scope;
  }

  std::vector<VarId> layoutOf(TableId id) const {
    return program_.table(id).isInput() ? storageOrder(program_, id) : orderInSlice(program_, id);
  }

  void addOutputs() {
    for (const ProgramOutput &output : program_.outputs)
      bundle_.outputs.push_back({{output.name, originals(output.scope), output.normalised},
                                 bufferOf(output.table),
                                 originals(storageOrder(program_, output.table)),
                                 output.rowVariables});
    for (const TracebackStep &step : program_.traceback) {
      BundleTraceback traceback{step.variable, {}};
      for (const TableId table : step.tables)
        traceback.tables.push_back({bufferOf(table), layoutOf(table)});
      bundle_.traceback.push_back(std::move(traceback));
    }
  }

  const Model &model_;
  const TableProgram &program_;
  const BundleOptions options_;
  const SliceLevels levels_;
  Bundle bundle_;
  std::vector<BufferId> buffers_; ///< by table: the buffer in which it is stored
  size_t bufferCount_ = 0;
  std::map<const std::vector<double> *, uint32_t> tableIndices_; ///< looked up, never walked
  std::map<uint64_t, std::vector<uint32_t>> contentIndices_;     ///< by hash of the entries
  std::map<std::pair<uint64_t, double>, TableValues> filled_;
  std::map<uint64_t, TableValues> identities_; ///< by extent
};

} // namespace

Bundle buildBundle(const Model &model, const TableProgram &program, const BundleOptions &options,
                   std::optional<PostsolveMap> answer) {
  return Builder(model, program, options).build(std::move(answer));
}

} // namespace mpf
