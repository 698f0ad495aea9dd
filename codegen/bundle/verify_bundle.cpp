#include "codegen/bundle/verify_bundle.h"

#include "codegen/bundle/head/verify_head.h"
#include "codegen/bundle/held_variables.h"
#include "codegen/bundle/open_variables.h"
#include "codegen/bundle/verify_chains.h"
#include "codegen/bundle/verify_kind.h"
#include "codegen/bundle/verify_lifetimes.h"
#include "codegen/bundle/verify_packed.h"
#include "codegen/bundle/verify_postsolve.h"
#include "dsl/support/check.h"
#include "dsl/support/identifier.h"
#include "dsl/support/joint_states.h"
#include "dsl/support/strided_fault.h"
#include "dsl/support/table_layout.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// The part of a bundle that a message is about. Its text is made for a fault alone.
struct BundlePart {
  std::string_view kind, name;
};

} // namespace

} // namespace mpf

template <> struct fmt::formatter<mpf::BundlePart> {
  constexpr auto parse(fmt::format_parse_context &context) { return context.begin(); }
  auto format(const mpf::BundlePart &part, fmt::format_context &context) const {
    return fmt::format_to(context.out(), "{}{}", part.kind, part.name);
  }
};

namespace mpf {

namespace {

template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args &&...args) {
  if (!condition)
    fail(ErrorKind::BadInput, "bundle: {}", fmt::format(format, std::forward<Args>(args)...));
}

class Verifier {
public:
  explicit Verifier(const Bundle &bundle) : bundle_(bundle) {}

  void run() const {
    const std::string fault = headFault(bundle_);
    require(fault.empty(), "{}", fault);
    require(bundle_.schema.observed.empty() && bundle_.schema.weightTableCount() == 0,
            "it has columns of cases, and answers a single case");
    const QueryTraits &traits = traitsOf(bundle_.kind);
    require(traits.decoding || bundle_.traceback.empty(), "a query of kind {} has a traceback",
            traits.name);
    require(!isIntegerType(bundle_.type) ||
                (!bundle_.forcedLog && !bundle_.logInputs && !bundle_.signedValues),
            "whole numbers as logs or with signs");
    for (const BundleBuffer &buffer : bundle_.buffers)
      checkBuffer(buffer);
    for (const auto &table : bundle_.tables)
      require(table != nullptr, "a table without values");
    for (const BundleInput &input : bundle_.inputs)
      checkInput(input);
    for (size_t i = 0; i < bundle_.kernels.size(); ++i)
      checkKernel(bundle_.kernels[i], i);
    require(!bundle_.tableDriven || *bundle_.tableDriven < bundle_.kernels.size(),
            "the table-driven kernels are number {} of {}", bundle_.tableDriven.value_or(0),
            bundle_.kernels.size());
    checkLoops();
    for (const BundleOperation &operation : bundle_.operations)
      checkOperation(operation);
    for (const BundleOutput &output : bundle_.outputs)
      checkOutput(output);
    for (const BundleTraceback &step : bundle_.traceback)
      checkTraceback(step);
    checkOpenVariables();
    verifyKind(bundle_);
  }

private:
  void checkBuffer(const BundleBuffer &buffer) const {
    const uint64_t arena = buffer.input ? bundle_.inputArenaBytes : bundle_.workArenaBytes;
    const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues);
    require(buffer.sizeElems >= 1, "buffer {} is empty", buffer.name);
    require(buffer.offsetBytes % tableAlignBytes(bytes) == 0, "buffer {} starts at byte {}",
            buffer.name, buffer.offsetBytes);
    require(buffer.offsetBytes <= arena && bytes <= arena - buffer.offsetBytes,
            "buffer {} needs {} bytes from {} on, its arena has {}", buffer.name, bytes,
            buffer.offsetBytes, arena);
  }

  const BundleBuffer &bufferOf(BufferId id, const BundlePart &user) const {
    require(id.index() < bundle_.buffers.size(), "{} refers to buffer {} of {}", user, id.value,
            bundle_.buffers.size());
    return bundle_.buffer(id);
  }

  static bool areDistinct(const std::vector<VarId> &scope) {
    constexpr size_t kFew = 8; // comparing all pairs then takes less time than sorting a copy
    if (scope.size() <= kFew) {
      for (auto id = scope.begin(); id != scope.end(); ++id)
        if (std::find(scope.begin(), id, *id) != id)
          return false;
      return true;
    }
    std::vector<VarId> sorted = scope;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }

  /// Returns the product of the extents. Checks that the variables are distinct and known.
  uint64_t scopeElems(const std::vector<VarId> &scope, const BundlePart &user) const {
    uint64_t elems = 1;
    require(areDistinct(scope), "{} has a variable twice in its scope", user);
    for (const VarId id : scope) {
      require(id.index() < bundle_.variables.size(), "{} refers to variable {} of {}", user,
              id.value, bundle_.variables.size());
      elems = saturatingMul(elems, bundle_.variables[id.index()].extent);
    }
    return elems;
  }

  bool isRow(const BundleInput &input) const {
    return !input.scope.empty() &&
           input.rowElems == bundle_.variables[input.scope.back().index()].extent;
  }

  void checkInput(const BundleInput &input) const {
    const BundleBuffer &buffer = bufferOf(input.buffer, {"input ", input.factor});
    require(buffer.input, "input {} is not in the input arena", input.factor);
    if (input.raw)
      return checkRawInput(input, buffer);
    const uint64_t elems = scopeElems(input.scope, {"input ", input.factor});
    require(input.rowElems == 0 || isRow(input), "input {} has rows of {} entries", input.factor,
            input.rowElems);
    if (input.table) {
      require(*input.table < bundle_.tables.size(), "input {} takes table {} of {}", input.factor,
              *input.table, bundle_.tables.size());
      const uint64_t have = bundle_.tables[*input.table]->size();
      require(holdsValues(have, elems), "input {} has {} values for {} entries", input.factor, have,
              elems);
      require(have == elems || isWideTable(*bundle_.tables[*input.table]),
              "the wide table of input {} has numbers that are none", input.factor);
    }
    require(elems != UINT64_MAX, "input {} has more entries than memory", input.factor);
    std::vector<VarId> kept = input.scope;
    // The layout has no observed variables, and need not have variables of one state.
    std::erase_if(kept, [&](VarId id) {
      const HeadVariable &variable = bundle_.variables[id.index()];
      const bool inLayout =
          std::find(input.layout.begin(), input.layout.end(), id) != input.layout.end();
      return bundle_.evidence.observes(id) || (variable.extent == 1 && !inLayout);
    });
    require(kept.size() == input.layout.size() &&
                std::is_permutation(kept.begin(), kept.end(), input.layout.begin()),
            "input {}: its layout is not its unobserved scope", input.factor);
    const uint64_t filled = scopeElems(input.layout, {"", input.factor});
    require(filled == buffer.sizeElems, "input {} fills {} of {} entries", input.factor, filled,
            buffer.sizeElems);
  }

  void checkRawInput(const BundleInput &input, const BundleBuffer &buffer) const {
    require(input.scope.empty() && input.layout.empty() && input.rowElems == 0,
            "raw input {} has a scope", input.factor);
    require(input.table && *input.table < bundle_.tables.size(), "raw input {} has no table",
            input.factor);
    require(bundle_.tables[*input.table]->size() == buffer.sizeElems,
            "raw input {} has {} values for {} entries", input.factor,
            bundle_.tables[*input.table]->size(), buffer.sizeElems);
  }

  /// Checks that variables of loops are known and free, and distinct if there is a traceback. Every
  /// loop must be one stretch of operations.
  void checkLoops() const {
    std::vector<VarId> variables = bundle_.sliced;
    if (bundle_.traceback.empty()) { // reentered loops over a variable
      std::sort(variables.begin(), variables.end());
      variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    }
    scopeElems(variables, {"", "the list of sliced variables"});
    require(bundle_.sliced.size() <= kMaxBundleLoops, "{} loops, at most {} are possible",
            bundle_.sliced.size(), kMaxBundleLoops);
    for (const VarId id : bundle_.sliced)
      require(!bundle_.evidence.observes(id), "sliced variable {} is observed",
              bundle_.variables[id.index()].name);
    require(bundle_.loops.count() == bundle_.sliced.size(), "{} sliced variables, {} loops",
            bundle_.sliced.size(), bundle_.loops.count());
    std::vector<char> entered(bundle_.sliced.size() + 1, 0);
    LoopPosition position(bundle_.loops);
    for (const BundleOperation &operation : bundle_.operations) {
      require(operation.loop <= bundle_.sliced.size(), "operation {} runs in loop {} of {}",
              operation.name, operation.loop, bundle_.sliced.size());
      position.moveTo(
          operation.loop, [](uint32_t) {},
          [&](uint32_t loop) {
            require(!std::exchange(entered[loop], 1), "operation {} enters loop {} once more",
                    operation.name, loop);
          });
    }
  }

  /// Returns the greatest offset of an access in any slice, saturating.
  uint64_t lastOffset(const BundleOperation &operation, const BundleAccess &access) const {
    uint64_t last = operation.lastOffset(access);
    for (size_t i = 0; i < access.sliceStridesElems.size(); ++i)
      last =
          saturatingAdd(last, saturatingMul(bundle_.variables[bundle_.sliced[i].index()].extent - 1,
                                            access.sliceStridesElems[i]));
    return last;
  }

  /// Checks a kernel. Its names become file names and parts of texts; messages do not repeat a name
  /// that is no identifier.
  void checkKernel(const BundleKernel &kernel, size_t number) const {
    require(isIdentifier(kernel.name), "the name of kernel {} is not an identifier", number);
    require(!kernel.source.empty(), "kernel {} has no source", kernel.name);
    for (const BundleCubin &cubin : kernel.cubins)
      require(isIdentifier(cubin.arch),
              "kernel {} is compiled for an architecture whose name is "
              "not an identifier",
              kernel.name);
    require(kernel.gridBlocks >= 1 && kernel.gridBlocks <= INT32_MAX && kernel.blockThreads >= 1 &&
                kernel.blockThreads <= 1024,
            "kernel {} is launched with {} blocks of {} threads", kernel.name, kernel.gridBlocks,
            kernel.blockThreads);
  }

  void checkOperation(const BundleOperation &operation) const {
    const BundlePart user{"operation ", operation.name};
    const std::string fault = findDigitFault(operation, kMaxBundleOperands);
    require(fault.empty(), "{}: {}", user, fault);
    require(operation.semiring.combine == bundle_.operations.front().semiring.combine,
            "{} combines otherwise than the first operation", user);
    // Scaled tables compare magnitudes, which is not enough for max and min of signed products.
    require(!bundle_.signedValues || operation.semiring.reduce == Reduce::Sum ||
                operation.semiring.combine == Combine::Plus,
            "{} takes {} of products that may be negative", user,
            operation.semiring.reduce == Reduce::Max ? "the maximum" : "the minimum");
    require(!operation.kernel || *operation.kernel < bundle_.kernels.size(),
            "{} runs kernel {} of {}", user, operation.kernel.value_or(0), bundle_.kernels.size());
    require(!operation.kernel || operation.kernel != bundle_.tableDriven,
            "{} runs the table-driven kernels as its own", user);
    const auto realDigits =
        std::count_if(operation.digits.begin(), operation.digits.end(),
                      [](const StridedDigit &digit) { return digit.extent > 1; });
    require(static_cast<size_t>(realDigits) <= kMaxBundleDigits, "{} has {} digits, at most {}",
            user, realDigits, kMaxBundleDigits);
    for (const BundleAccess &access : operation.operands)
      checkAccess(operation, access, user);
    checkAccess(operation, operation.result, user);
    checkResult(operation, user);
    if (operation.accumulates)
      checkAccumulation(operation, user);
  }

  void checkAccumulation(const BundleOperation &operation, const BundlePart &user) const {
    require(operation.loop > 0, "{} accumulates outside of any loop", user);
    require(operation.operands.size() == 1 && !operation.kernel,
            "{} accumulates something else than one operand", user);
    const BundleAccess &operand = operation.operands[0];
    require(operand.sliceStridesElems.empty() &&
                operand.stridesElems == operation.result.stridesElems &&
                bundle_.buffer(operand.buffer).sizeElems ==
                    bundle_.buffer(operation.result.buffer).sizeElems,
            "{} accumulates a table of another layout", user);
  }

  void checkAccess(const BundleOperation &operation, const BundleAccess &access,
                   const BundlePart &user) const {
    const BundleBuffer &buffer = bufferOf(access.buffer, user);
    require(access.stridesElems.size() == operation.digits.size(),
            "{} has {} strides for {} digits", user, access.stridesElems.size(),
            operation.digits.size());
    require(access.sliceStridesElems.empty() ||
                (access.sliceStridesElems.size() == bundle_.sliced.size() && buffer.input),
            "{} has {} strides for {} loops, or moves in a table that is no input", user,
            access.sliceStridesElems.size(), bundle_.sliced.size());
    for (uint32_t loop = 1; loop <= access.sliceStridesElems.size(); ++loop)
      require(access.sliceStridesElems[loop - 1] == 0 ||
                  bundle_.loops.contains(loop, operation.loop),
              "{} runs in loop {} and moves with loop {}", user, operation.loop, loop);
    const uint64_t last = lastOffset(operation, access);
    require(last < buffer.sizeElems, "{} reaches entry {} of buffer {}, which has {}", user, last,
            buffer.name, buffer.sizeElems);
  }

  void checkResult(const BundleOperation &operation, const BundlePart &user) const {
    const BundleBuffer &buffer = bundle_.buffer(operation.result.buffer);
    const std::string fault = findResultFault(operation, buffer.sizeElems);
    require(fault.empty(), "{}: {}", user, fault);
    require(!buffer.input, "{} writes into the input arena", user);
    require(operation.result.sliceStridesElems.empty(), "{}: its result moves with a loop", user);
  }

  void checkOutput(const BundleOutput &output) const {
    const BundleBuffer &buffer = bufferOf(output.buffer, {"output ", output.name});
    const uint64_t elems = scopeElems(output.layout, {"output ", output.name});
    require(elems == buffer.sizeElems, "output {} has {} entries in a buffer of {}", output.name,
            elems, buffer.sizeElems);
    require(
        output.scope.size() == output.layout.size() &&
            std::is_permutation(output.scope.begin(), output.scope.end(), output.layout.begin()),
        "output {}: its scope is not its layout in another order", output.name);
  }

  void checkTraceback(const BundleTraceback &step) const {
    require(step.variable.index() < bundle_.variables.size(), "traceback of variable {} of {}",
            step.variable.value, bundle_.variables.size());
    for (const BundleTraceback::Table &table : step.tables) {
      const BundleBuffer &buffer = bufferOf(table.buffer, {"", "the traceback"});
      const uint64_t elems = scopeElems(table.layout, {"", "a table of the traceback"});
      require(elems == buffer.sizeElems, "the traceback reads {} entries of a buffer of {}", elems,
              buffer.sizeElems);
    }
  }

  /// Checks that open variables are chosen by the same tables, because they were eliminated
  /// jointly.
  void checkOpenVariables() const {
    const std::vector<std::vector<VarId>> open = openVariables(bundle_);
    std::vector<const BundleTraceback *> steps(bundle_.variables.size(), nullptr);
    for (const BundleTraceback &step : bundle_.traceback)
      steps[step.variable.index()] = &step;
    const auto buffersOf = [](const BundleTraceback &step) {
      std::vector<BufferId> buffers;
      for (const BundleTraceback::Table &table : step.tables)
        buffers.push_back(table.buffer);
      return buffers;
    };
    for (size_t i = 0; i < open.size(); ++i) {
      const BundleTraceback &step = bundle_.traceback[i];
      const HeadVariable &variable = bundle_.variables[step.variable.index()];
      for (const VarId id : open[i])
        require(buffersOf(*steps[id.index()]) == buffersOf(step),
                "the traceback of {} needs {}, which is decided later", variable.name,
                bundle_.variables[id.index()].name);
      const uint64_t states = saturatingMul(jointStates(bundle_, open[i]), variable.extent);
      require(open[i].empty() || states <= kMostJointStates,
              "the traceback of {} looks at {} joint states, {} at most", variable.name, states,
              kMostJointStates);
    }
  }

  const Bundle &bundle_;
};

} // namespace

void verifyBundle(const Bundle &bundle) {
  Verifier(bundle).run();
  verifyChains(bundle);
  verifyPacked(bundle);
  verifyLifetimes(bundle);
  verifyAnswer(bundle);
}

} // namespace mpf
