#include "codegen/plan/program/read_program.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/model/print/print_model.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace mpf {

namespace {

/// Returns "evidence, expression, marginals, joint or best".
std::string plannedKinds() {
  std::vector<std::string_view> names;
  for (const QueryTraits &traits : kQueryTraits)
    if (traits.isPlanned)
      names.push_back(traits.name);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

/// Reads one program: the line 'plan' at which `reader` is, and the lines up to the next such line.
class Reader {
public:
  Reader(LineReader &reader, Diagnostics &diagnostics, const VerifyStages &stages)
      : diagnostics_(diagnostics), errorsBefore_(diagnostics.errorCount()), reader_(reader),
        stages_(stages) {}

  /// Reads the program. Sets `more` to whether `reader` is at a line afterwards.
  std::optional<ReadProgram> read(bool &more) {
    const SourcePlace place = reader_.here();
    readPlan();
    while (ok() && (more = reader_.next()) && reader_.keyword().text != "plan")
      readLine();
    program_.evidence.add(std::move(observations_));
    if (ok() && program_.outputs.empty())
      diagnostics_.error(place, "a plan needs at least one output");
    if (ok())
      if (const auto problem = verifyProgram(program_, stages_))
        diagnostics_.error(place, "{}", *problem);
    return ok() ? std::optional(ReadProgram{std::move(program_), place}) : std::nullopt;
  }

private:
  bool ok() const { return diagnostics_.errorCount() == errorsBefore_; }
  void error(const std::string &message) { diagnostics_.error(reader_.here(), "{}", message); }

  void readLine() {
    const std::string keyword = reader_.keyword().text;
    if (keyword == "variable")
      readVariable();
    else if (keyword == "order")
      readOrder();
    else if (keyword == "table")
      readTable();
    else if (keyword == "op")
      readOperation();
    else if (keyword == "chain")
      readChain();
    else if (keyword == "output")
      readOutput();
    else if (keyword == "traceback")
      readTraceback();
    else
      error("expected plan, variable, order, table, op, chain, output or traceback");
    if (ok())
      reader_.expectEndOfLine();
  }

  void readPlan() {
    const auto name = reader_.takeWord("the plan's name");
    const auto kind = name ? reader_.takeWord("a kind of query") : std::nullopt;
    if (!kind)
      return;
    const auto known = queryKindNamed(*kind);
    if (!known || !traitsOf(*known).isPlanned)
      return error("no kind of query: expected " + plannedKinds());
    program_.separateBranches = reader_.acceptLiteral("separate_branches");
    if (!program_.separateBranches && !reader_.atEndOfLine()) {
      const auto rounds = reader_.takeUnsignedKey("rounds", UINT64_MAX);
      if (!rounds)
        return;
      program_.searchRounds = *rounds;
      program_.separateBranches = reader_.acceptLiteral("separate_branches");
    }
    program_.name = *name;
    program_.kind = *known;
    reader_.expectEndOfLine();
  }

  void readVariable() {
    if (order_)
      return error("variables come before the order");
    const auto name = reader_.takeWord("the variable's name");
    const auto extent = name ? reader_.takeUnsignedKey("extent", UINT32_MAX) : std::nullopt;
    if (!extent)
      return;
    if (*extent == 0)
      return error("a variable has at least 1 state");
    ProgramVariable variable{*name, static_cast<uint32_t>(*extent)};
    variable.unasked = reader_.acceptLiteral("unasked");
    variable.sliced = reader_.acceptLiteral("sliced");
    if (reader_.acceptLiteral("copy")) {
      if (program_.variables.empty())
        return error("there is no variable yet");
      const auto original = reader_.takeUnsigned("variable", program_.variables.size() - 1);
      if (!original)
        return;
      variable.copyOf = VarId{static_cast<size_t>(*original)};
    } else if (!variable.sliced && !reader_.atEndOfLine()) {
      const auto state = reader_.takeUnsignedKey("observed", *extent - 1);
      if (!state)
        return;
      observations_.push_back({VarId{program_.variables.size()}, static_cast<uint32_t>(*state)});
    }
    program_.variables.push_back(std::move(variable));
  }

  using Stops = std::initializer_list<const char *>;

  /// Reads numbers below `count` up to the end of the line or a word in `stops`, which becomes
  /// `stop_`.
  template <class IdType>
  std::vector<IdType> takeIds(const char *what, size_t count, Stops stops = {}) {
    std::vector<IdType> ids;
    stop_.clear();
    while (!reader_.atEndOfLine()) {
      for (const char *stop : stops)
        if (stop_.empty() && reader_.acceptLiteral(stop))
          stop_ = stop;
      if (!stop_.empty())
        break;
      if (count == 0) {
        error(fmt::format("there is no {} yet", what));
        break;
      }
      const auto number = reader_.takeUnsigned(what, count - 1);
      if (!number)
        break;
      ids.push_back(IdType{static_cast<size_t>(*number)});
    }
    return ids;
  }

  /// Reads variables of the order, each once. Scopes are not sorted: verifyProgram checks that they
  /// are.
  std::vector<VarId> takeScope(Stops stops = {}) {
    std::vector<VarId> scope = takeIds<VarId>("variable", program_.variables.size(), stops);
    checkScope(scope);
    return scope;
  }

  void checkScope(const std::vector<VarId> &scope) {
    if (scope.size() > kMaxScopeVariables)
      error(fmt::format("a scope of {} variables, at most {} are allowed", scope.size(),
                        kMaxScopeVariables));
    for (size_t i = 0; ok() && i < scope.size(); ++i)
      if (order_->position(scope[i]) == GlobalOrder::kAbsent)
        error(fmt::format("variable {} is not in the order", scope[i]));
      else if (i > 0 && !order_->before(scope[i - 1], scope[i]))
        error("a scope follows the global order, each variable once");
  }

  void readOrder() {
    if (order_)
      return error("a plan has one order");
    program_.order = takeIds<VarId>("variable", program_.variables.size());
    std::vector<VarId> sorted = program_.order;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return error("the order names a variable twice");
    order_.emplace(program_);
  }

  void readTable() {
    if (!order_ || !program_.operations.empty())
      return error("tables come after the order and before the operations");
    const auto name = reader_.takeWord("the table's name");
    const auto origin = name ? reader_.takeWord("factor=..., fill=... or identity") : std::nullopt;
    if (!origin)
      return;
    ProgramTable table;
    table.name = *name;
    if (origin->starts_with("fill="))
      table.fill = parseDouble(std::string_view(*origin).substr(5));
    else if (origin->starts_with("factor="))
      if (const auto id = parseUnsigned(std::string_view(*origin).substr(7));
          id && *id < UINT32_MAX)
        table.factor = FactorId{static_cast<size_t>(*id)};
    table.isIdentity = *origin == "identity";
    if (!table.fill && !table.factor.valid() && !table.isIdentity)
      return error("expected factor=NUMBER, fill=VALUE or identity");
    if (!reader_.takeLiteral("scope"))
      return;
    table.scope = takeScope({"layout", "packed", "same"});
    table.sizeElems = programElems(program_, table.scope);
    if (stop_ == "layout")
      takeLayout(table, {"packed", "same"});
    table.packed = stop_ == "packed";
    if (stop_ == "same")
      table.sameAs = takeTable();
    program_.tables.push_back(std::move(table));
  }

  /// Reads the number of an existing table; invalid, with an error, if there is no such table.
  TableId takeTable() {
    if (program_.tables.empty()) {
      error("there is no table yet");
      return TableId{};
    }
    const auto number = reader_.takeUnsigned("table", program_.tables.size() - 1);
    return number ? TableId{static_cast<size_t>(*number)} : TableId{};
  }

  void takeLayout(ProgramTable &table, Stops stops) {
    const auto order = takeIds<VarId>("variable", program_.variables.size(), stops);
    if (ok() && !setStorageOrder(table, order))
      error("a layout is a permutation of the table's scope");
  }

  void readOperation() {
    if (!order_)
      return error("operations come after the order");
    const auto name = reader_.takeWord("a semiring");
    const auto semiring = name ? semiringNamed(*name) : std::nullopt;
    if (!semiring)
      return error("no semiring: expected sum-product, max-product, min-product, max-sum, min-sum "
                   "or logsum-sum");
    if (!reader_.takeLiteral("tables"))
      return;
    auto operands =
        takeIds<TableId>("table", program_.tables.size(), {"reduce", "layout", "same", "kept"});
    std::vector<VarId> reduced;
    if (stop_ == "reduce")
      reduced = takeScope({"splits", "layout", "same", "kept"});
    const uint32_t splits = stop_ == "splits" ? takeSplits() : 1;
    if (!ok())
      return;
    if (operands.empty() || (stages_.bounded && operands.size() > kMaxOperands))
      return error(fmt::format("{} tables, allowed are 1 to {}", operands.size(), kMaxOperands));
    const OpId id = appendOperation(program_, *order_, *semiring, std::move(operands),
                                    std::move(reduced), splits);
    ProgramTable &result = program_.tables[program_.operation(id).result.index()];
    checkScope(result.scope);
    if (stop_ == "layout")
      takeLayout(result, {"same", "kept"});
    if (stop_ == "same")
      result.sameAs = takeTable();
    result.kept = stop_ == "kept";
  }

  /// Reads a number of at least 2; sets `stop_` to the word that follows.
  uint32_t takeSplits() {
    const auto splits = reader_.takeUnsigned("number of splits", kMaxSplits);
    stop_ = reader_.acceptLiteral("layout") ? "layout"
            : reader_.acceptLiteral("kept") ? "kept"
                                            : "";
    if (splits && *splits < 2)
      error("a sum is cut into 2 splits or more");
    return static_cast<uint32_t>(splits.value_or(1));
  }

  void readChain() {
    if (program_.operations.empty())
      return error("there is no operation yet");
    const uint64_t last = program_.operations.size() - 1;
    const auto message = reader_.takeLiteral("message")
                             ? reader_.takeUnsigned("table", program_.tables.size() - 1)
                             : std::nullopt;
    const auto first = message && reader_.takeLiteral("ops")
                           ? reader_.takeUnsigned("operation", last)
                           : std::nullopt;
    const auto end =
        first && reader_.takeLiteral("to") ? reader_.takeUnsigned("operation", last) : std::nullopt;
    if (!end)
      return;
    if (*end < *first)
      return error(fmt::format("operations {} to {}", *first, *end));
    program_.chains.push_back({TableId{static_cast<size_t>(*message)},
                               OpId{static_cast<size_t>(*first)},
                               static_cast<uint32_t>(*end - *first + 1)});
  }

  void readOutput() {
    ProgramOutput output;
    const auto name = reader_.takeWord("the output's name");
    if (!name || !reader_.takeLiteral("table") || program_.tables.empty())
      return error("an output needs a name and a table");
    const auto table = reader_.takeUnsigned("table", program_.tables.size() - 1);
    if (!table)
      return;
    output.name = *name;
    output.table = TableId{static_cast<size_t>(*table)};
    output.normalised = reader_.acceptLiteral("normalised");
    if (reader_.acceptLiteral("rows"))
      output.rowVariables = static_cast<uint32_t>(
          reader_.takeUnsigned("number of variables of rows", kMaxScopeVariables).value_or(0));
    if (!reader_.takeLiteral("scope"))
      return;
    output.scope = takeIds<VarId>("variable", program_.variables.size());
    program_.outputs.push_back(std::move(output));
  }

  void readTraceback() {
    if (program_.variables.empty())
      return error("there is no variable yet");
    const auto variable = reader_.takeUnsigned("variable", program_.variables.size() - 1);
    if (!variable || !reader_.takeLiteral("tables"))
      return;
    program_.traceback.push_back(
        {VarId{static_cast<size_t>(*variable)}, takeIds<TableId>("table", program_.tables.size())});
  }

  Diagnostics &diagnostics_;
  const size_t errorsBefore_;
  LineReader &reader_;
  const VerifyStages stages_;
  TableProgram program_;
  std::vector<Observation> observations_;
  std::optional<GlobalOrder> order_;
  std::string stop_; ///< the word that ended the last list of ids; empty: the line's end
};

} // namespace

std::optional<std::vector<ReadProgram>> readPrograms(std::shared_ptr<const SourceBuffer> buffer,
                                                     Diagnostics &diagnostics,
                                                     const VerifyStages &stages) {
  LineReader lines(std::move(buffer), diagnostics);
  std::vector<ReadProgram> programs;
  bool more = lines.next();
  if (!more || lines.keyword().text != "plan") {
    diagnostics.error(lines.here(), "expected a line 'plan NAME KIND'");
    return std::nullopt;
  }
  while (more) {
    std::optional<ReadProgram> program = Reader(lines, diagnostics, stages).read(more);
    if (!program)
      return std::nullopt;
    programs.push_back(std::move(*program));
  }
  return programs;
}

} // namespace mpf
