#include "codegen/bundle/lanes/verify_lane_program.h"

#include "codegen/bundle/head/verify_head.h"
#include "codegen/bundle/lanes/verify_lane_messages.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/strided_fault.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace mpf {

namespace {

template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args &&...args) {
  if (!condition)
    fail(ErrorKind::BadInput, "lane program: {}", fmt::format(format, std::forward<Args>(args)...));
}

bool isOne(LaneTableKind kind, std::initializer_list<LaneTableKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

class Verifier {
public:
  explicit Verifier(const LaneProgram &program)
      : program_(program), traits_(traitsOf(program.kind)) {}

  void run() {
    const std::string fault = headFault(program_);
    require(fault.empty(), "{}", fault);
    checkForm();
    for (const LaneValues &values : program_.values)
      checkValues(values);
    for (const LaneTable &table : program_.tables)
      checkTable(table);
    for (const LaneOperation &operation : program_.commonOperations)
      checkOperation(operation, LaneTableKind::Common);
    for (const LaneStep &step : program_.steps)
      if (const auto *gather = std::get_if<LaneGather>(&step))
        checkGather(*gather);
      else
        checkOperation(std::get<LaneOperation>(step), LaneTableKind::Message);
    for (const LaneOutput &output : program_.outputs)
      checkOutput(output);
    checkKind();
    checkTraceback();
  }

private:
  /// Checks the parts of the head that lanes restrict.
  void checkForm() const {
    require(program_.type == ElementType::F32 || program_.type == ElementType::F64,
            "lanes of {} are not supported", elementTypeName(program_.type));
    const Semiring semiring = program_.semiring;
    require(semiring.combine == Combine::Times &&
                (semiring.reduce == Reduce::Sum || semiring.reduce == Reduce::Max),
            "its semiring is neither sum-product nor max-product");
    for (const Finding &finding : program_.evidence.findings)
      require(finding.fixed, "the state of variable {} may change",
              program_.variables[finding.variable.index()].name);
    for (const VaryingTable &table : program_.schema.tables)
      require(table.nonNegative || semiring.reduce == Reduce::Sum,
              "a table of the cases may be negative, under maxima");
  }

  bool isFixed(VarId id) const { return program_.evidence.observes(id); }

  const HeadVariable &variableOf(VarId id, std::string_view user) const {
    require(id.index() < program_.variables.size(), "{} refers to variable {} of {}", user,
            id.value, program_.variables.size());
    return program_.variables[id.index()];
  }

  void checkValues(const LaneValues &values) const {
    require(values.sizeElems >= 1, "the values of factor {} are empty", values.factor);
    require(values.values != nullptr || !values.factor.empty(), "values without entries or a name");
    require(values.rowElems == 0 || values.sizeElems % values.rowElems == 0,
            "factor {} has {} entries in rows of {}", values.factor, values.sizeElems,
            values.rowElems);
    if (values.values == nullptr)
      return;
    require(holdsValues(values.values->size(), values.sizeElems),
            "factor {} has {} values for {} entries", values.factor, values.values->size(),
            values.sizeElems);
    const StoredValues stored(*values.values, values.sizeElems);
    require(!stored.isWide() || isWideTable(*values.values),
            "the wide table of factor {} has numbers that are none", values.factor);
    const bool mayBeNegative = program_.semiring.reduce == Reduce::Sum;
    for (uint64_t i = 0; i < stored.size(); ++i)
      require(std::isfinite(stored.mantissa(i)) && (mayBeNegative || stored.mantissa(i) >= 0),
              "factor {} has the entry {}", values.factor, stored.mantissa(i));
  }

  void checkTable(const LaneTable &table) {
    require(table.sizeElems >= 1, "table {} is empty", table.name);
    const auto requireSource = [&](size_t sources, uint64_t sizeElems) {
      require(table.source < sources, "table {} has source {} of {}", table.name, table.source,
              sources);
      require(table.sizeElems == sizeElems, "table {} has {} entries instead of {}", table.name,
              table.sizeElems, sizeElems);
    };
    const auto extentIn = [&](const std::vector<CaseVariable> &columns) -> uint64_t {
      return table.source < columns.size() ? columns[table.source].extent : 0;
    };
    switch (table.kind) {
    case LaneTableKind::Values:
      return requireSource(program_.values.size(), table.source < program_.values.size()
                                                       ? program_.values[table.source].sizeElems
                                                       : 0);
    case LaneTableKind::Indicator: {
      const uint64_t states = extentIn(program_.schema.observed);
      return requireSource(program_.schema.observed.size(), (states + 1) * states);
    }
    case LaneTableKind::Weights:
      require(weighted_.insert(table.source).second, "the weights of number {} have two tables",
              table.source);
      return requireSource(program_.schema.weightTableCount(),
                           table.source < program_.schema.weightTableCount()
                               ? program_.schema.weightTableElems(table.source)
                               : 0);
    case LaneTableKind::Common:
      return;
    case LaneTableKind::Message:
      require(table.offsetElems <= program_.laneElems &&
                  table.sizeElems <= program_.laneElems - table.offsetElems,
              "message {} needs {} entries from {} on, its arena has {}", table.name,
              table.sizeElems, table.offsetElems, program_.laneElems);
      return;
    }
    require(false, "table {} is of kind {}", table.name, static_cast<int>(table.kind));
  }

  const LaneTable &tableOf(uint32_t index, std::string_view user,
                           std::initializer_list<LaneTableKind> kinds) const {
    require(index < program_.tables.size(), "{} refers to table {} of {}", user, index,
            program_.tables.size());
    const LaneTable &table = program_.tables[index];
    require(isOne(table.kind, kinds), "{} refers to {}, a table of another kind", user, table.name);
    return table;
  }

  void checkOperation(const LaneOperation &operation, LaneTableKind made) const {
    using enum LaneTableKind;
    const bool isCommon = made == Common;
    const char *const what = isCommon ? "a common operation" : "a step";
    const LaneTable &result = tableOf(operation.result.table, what, {made});
    const std::string user = fmt::format("{} that makes {}", what, result.name);
    require(operation.semiring == program_.semiring, "{} has a semiring of its own", user);
    std::string fault = findDigitFault(operation, kMaxLaneOperands);
    require(fault.empty(), "{}: {}", user, fault);
    for (const LaneAccess &operand : operation.operands) {
      const LaneTable &table =
          isCommon ? tableOf(operand.table, user, {Values, Common, Indicator})
                   : tableOf(operand.table, user, {Values, Common, Weights, Message});
      checkAccess(operation, operand, table, user);
    }
    checkAccess(operation, operation.result, result, user);
    require(operation.result.baseElems == 0, "{}: its result starts at entry {}", user,
            operation.result.baseElems);
    fault = findResultFault(operation, result.sizeElems);
    require(fault.empty(), "{}: {}", user, fault);
  }

  static void checkAccess(const LaneOperation &operation, const LaneAccess &access,
                          const LaneTable &table, const std::string &user) {
    require(access.stridesElems.size() == operation.digits.size(),
            "{} has {} strides for {} digits", user, access.stridesElems.size(),
            operation.digits.size());
    checkLast(saturatingAdd(access.baseElems, operation.lastOffset(access)), table, user);
  }

  static void checkLast(uint64_t last, const LaneTable &table, const std::string &user) {
    require(last < table.sizeElems, "{} reaches entry {} of {}, which has {}", user, last,
            table.name, table.sizeElems);
  }

  void checkGather(const LaneGather &gather) {
    using enum LaneTableKind;
    const LaneTable &row = tableOf(gather.message, "a gather", {Message});
    const std::string user = "the gather of " + row.name;
    const LaneTable &table = tableOf(gather.table, user, {Values, Common, Indicator});
    const uint64_t rowElems = rows_.emplace(gather.table, row.sizeElems).first->second;
    require(rowElems == row.sizeElems, "{} picks {} entries of {}, another one {}", user,
            row.sizeElems, table.name, rowElems);
    require(!gather.codes.empty(), "{} has no codes", user);
    uint64_t last = row.sizeElems - 1;
    for (size_t i = 0; i < gather.codes.size(); ++i) {
      const auto &[column, stride] = gather.codes[i];
      require(column < program_.schema.observed.size(), "{} refers to column {} of {}", user,
              column, program_.schema.observed.size());
      require(i == 0 || gather.codes[i - 1].column < column, "{}: its columns do not ascend", user);
      require(stride % row.sizeElems == 0, "{} has stride {} for rows of {} entries", user, stride,
              row.sizeElems);
      last = saturatingAdd(last, saturatingMul(program_.schema.observed[column].extent, stride));
    }
    checkLast(last, table, user);
    require(table.sizeElems % row.sizeElems == 0, "{} picks {} of the {} entries of {}", user,
            row.sizeElems, table.sizeElems, table.name);
    if (table.kind == Indicator)
      require(gather.codes.size() == 1 && gather.codes[0].column == table.source &&
                  gather.codes[0].strideElems == row.sizeElems &&
                  row.sizeElems == program_.schema.observed[table.source].extent,
              "{} does not pick a row of {} by its own code", user, table.name);
  }

  void checkOutput(const LaneOutput &output) const {
    const std::string user = "output " + output.name;
    const LaneTable &message = tableOf(output.access.table, user, {LaneTableKind::Message});
    require(output.scope.size() == output.extents.size() &&
                output.scope.size() == output.access.stridesElems.size(),
            "{} has {} variables, {} extents and {} strides", user, output.scope.size(),
            output.extents.size(), output.access.stridesElems.size());
    std::set<VarId> seen;
    std::vector<StridedDigit> digits;
    for (size_t i = 0; i < output.scope.size(); ++i) {
      const HeadVariable &variable = variableOf(output.scope[i], user);
      require(seen.insert(output.scope[i]).second, "{} has variable {} twice", user, variable.name);
      require(output.extents[i] == variable.extent, "{} has {} states of {} instead of {}", user,
              output.extents[i], variable.name, variable.extent);
      digits.push_back({variable.extent, false});
    }
    const StridedOperation<StridedDigit, LaneAccess> whole{
        program_.semiring, std::move(digits), {}, output.access};
    const std::string fault = findResultFault(whole, message.sizeElems);
    require(fault.empty() && output.access.baseElems == 0, "{} is not the whole of {}: {}", user,
            message.name, fault);
    require(!output.normalised || traits_.isQuotient, "{} of a query of kind {} is normalised",
            user, traits_.name);
  }

  void checkKind() const {
    require(!program_.outputs.empty(), "it has no output");
    const bool isNumber = program_.outputs.front().scope.empty();
    const bool areAsked =
        traits_.outputs == QueryOutputs::Asked || traits_.outputs == QueryOutputs::Joints;
    require(areAsked || program_.asked.empty(), "{} tables are asked for by a query of kind {}",
            program_.asked.size(), traits_.name);
    require(traits_.outputs != QueryOutputs::Number || isNumber, "its output is no number");
    if (traits_.outputs != QueryOutputs::Posteriors)
      return checkAsked();
    require(isNumber && !program_.outputs.front().normalised, "its first output is no number");
    std::vector<VarId> asked;
    for (const LaneOutput &output : std::span(program_.outputs).subspan(1)) {
      require(output.scope.size() == 1 && output.normalised,
              "output {} is no posterior of one variable", output.name);
      asked.push_back(output.scope.front());
    }
    checkEachOnce(asked, "put out", [](const HeadVariable &variable) {
      return !variable.auxiliary && !variable.unasked;
    });
  }

  /// Checks the tables asked for, for kinds of queries that do not ask for all posteriors.
  void checkAsked() const {
    const bool areJoined = traits_.outputs == QueryOutputs::Joints;
    const size_t before = areJoined ? 1 : 0; // the evidence
    require(program_.outputs.size() > before &&
                (!areJoined || program_.outputs.front().scope.empty()),
            "joined queries have the evidence and their posteriors");
    const std::span outputs = std::span(program_.outputs).subspan(before);
    const LaneAsked none;
    std::span<const LaneAsked> asked = program_.asked;
    if (asked.empty() && !areJoined)
      asked = {&none, 1};
    require(outputs.size() == asked.size(), "{} outputs of a query of kind {} for {} tables",
            outputs.size(), traits_.name, asked.size());
    for (size_t i = 0; i < asked.size(); ++i)
      checkAsked(asked[i], outputs[i]);
  }

  void checkAsked(const LaneAsked &asked, const LaneOutput &output) const {
    const bool mayHaveRows = output.normalised && traits_.restored == Restored::Posterior;
    require(asked.rowVariables <= (mayHaveRows ? asked.variables.size() : 0),
            "output {} has rows for {} variables", output.name, asked.rowVariables);
    require(traits_.outputs != QueryOutputs::Joints || output.normalised,
            "output {} is no posterior", output.name);
    std::vector<VarId> seen, free;
    for (const VarId id : asked.variables) {
      const HeadVariable &variable = variableOf(id, "what is asked for");
      require(std::find(seen.begin(), seen.end(), id) == seen.end(),
              "variable {} is asked for twice", variable.name);
      seen.push_back(id);
      if (!isFixed(id))
        free.push_back(id);
    }
    require(output.scope == free, "output {} is over {} variables, {} are asked for and not fixed",
            output.name, output.scope.size(), free.size());
  }

  /// Checks that no variable is listed twice, and that those that are needed are listed. Fixed ones
  /// are not.
  template <class IsNeeded>
  void checkEachOnce(const std::vector<VarId> &list, const char *what, IsNeeded isNeeded) const {
    std::vector<int> times(program_.variables.size(), 0);
    for (const VarId id : list)
      ++times[id.index()];
    for (size_t v = 0; v < times.size(); ++v) {
      const HeadVariable &variable = program_.variables[v];
      const int most = isFixed(VarId{v}) ? 0 : 1;
      require(times[v] <= most && (times[v] == most || !isNeeded(variable)),
              "variable {} is {} {} times", variable.name, what, times[v]);
    }
  }

  void checkTraceback() const {
    using enum LaneTableKind;
    if (!traits_.decoding)
      return require(program_.traceback.empty(), "a query of kind {} has a traceback",
                     traits_.name);
    std::vector<VarId> decided;
    std::vector<char> isDecided(program_.variables.size(), 0);
    for (size_t v = 0; v < isDecided.size(); ++v)
      isDecided[v] = isFixed(VarId{v});
    const std::string user = "the traceback";
    for (const LaneTraceback &step : program_.traceback) {
      variableOf(step.variable, user);
      decided.push_back(step.variable);
      isDecided[step.variable.index()] = 1;
      for (const LaneTraceback::Table &read : step.tables) {
        const LaneTable &table =
            tableOf(read.access.table, user, {Values, Common, Weights, Message});
        require(read.scope.size() == read.access.stridesElems.size(),
                "{} has {} strides for {} variables of {}", user, read.access.stridesElems.size(),
                read.scope.size(), table.name);
        uint64_t last = read.access.baseElems;
        for (size_t i = 0; i < read.scope.size(); ++i) {
          const HeadVariable &variable = variableOf(read.scope[i], user);
          require(isDecided[read.scope[i].index()] != 0,
                  "{} reads {} by the state of {} before it is decided", user, table.name,
                  variable.name);
          last =
              saturatingAdd(last, saturatingMul(variable.extent - 1, read.access.stridesElems[i]));
        }
        checkLast(last, table, user);
      }
    }
    checkEachOnce(decided, "decided", [](const HeadVariable &) { return true; });
  }

  const LaneProgram &program_;
  const QueryTraits &traits_;
  std::set<uint32_t> weighted_;       ///< likelihoods that have a table
  std::map<uint32_t, uint64_t> rows_; ///< entries of a row, by table that gathers pick from
};

} // namespace

void verifyLanes(const LaneProgram &program) {
  Verifier(program).run();
  verifyLaneMessages(program);
}

} // namespace mpf
