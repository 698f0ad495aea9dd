#include "codegen/plan/passes/pass_lay_out_tables.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/split_k.h"
#include "codegen/plan/program/storage_order.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mpf {

namespace {

/// A change must gain this share of an operation's time; predictions are no more exact.
constexpr double kLeastGain = 0.02;
/// The loss of an operation is its time above its floor. An operation is tried if it loses at least
/// this many times DeviceCosts::leastGainUs: about half of the loss can be gained.
constexpr double kLeastLoss = 2;
/// Operations are tried in order of their losses, greatest first. The limits are a number of
/// operations, a share of all losses, and a number of rounds.
constexpr size_t kMostOperations = 32;
constexpr double kMostOfLoss = 0.95;
constexpr size_t kMostRounds = 2;
constexpr uint64_t kMostOutputElems = 4096; ///< larger results take the host longer to rearrange
constexpr size_t kMostRefused = 8; ///< operations without a gain after which the search ends

/// New layouts (ProgramTable::layout), each with its table, which is a stored one.
using Layouts = std::vector<std::pair<TableId, std::vector<uint32_t>>>;

/// One kernel launch: that of an operation or of a chain.
struct Launch {
  OpId first;
  const ProgramChain *chain = nullptr; ///< null: a single operation
  double runs = 1;
  std::optional<double> timeUs; ///< time of all runs, as the tables are stored now; none: unknown
  bool toAsk = true;            ///< some table is stored otherwise than at the last prediction
};

class TableLayouts {
public:
  /// `levels`: loops of the program.
  TableLayouts(TableProgram &program, DeviceCosts &costs, const SliceLevels &levels)
      : program_(program), costs_(costs), levels_(levels), users_(program.tables.size()),
        partners_(program.tables.size()), isFixed_(program.tables.size(), 0) {
    addLaunches();
    fixTables();
  }

  void choose(const SearchStop &stop) {
    const std::vector<OpId> costliest = losers();
    size_t refused = 0; // one after another
    for (size_t round = 0; round < kMostRounds; ++round)
      for (const OpId id : costliest) {
        if (stop.now())
          return;
        Launch &launch = launches_[launchOf_[id.index()]];
        if (refused == kMostRefused || !std::exchange(launch.toAsk, false))
          continue;
        refused = improve(id) ? 0 : refused + 1;
      }
  }

private:
  void addLaunches() {
    std::vector<const ProgramChain *> chainOf(program_.operations.size(), nullptr);
    for (const ProgramChain &chain : program_.chains)
      for (const OpId id : chain.operations())
        chainOf[id.index()] = &chain;
    launchOf_.assign(program_.operations.size(), 0);
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const Operation &operation = program_.operations[i];
      if (!program_.runs(operation))
        continue;
      if (chainOf[i] == nullptr || chainOf[i]->first == OpId{i})
        launches_.push_back({OpId{i}, chainOf[i], levels_.runs(levels_.ofOperation(operation)),
                             std::nullopt, true});
      MPF_CHECK(!launches_.empty(), "operation {} is inside a chain that has not begun", i);
      launchOf_[i] = static_cast<uint32_t>(launches_.size() - 1);
      const auto use = [&](TableId id) {
        std::vector<uint32_t> &users = users_[program_.stored(id).index()];
        if (users.empty() || users.back() != launchOf_[i])
          users.push_back(launchOf_[i]);
      };
      std::for_each(operation.operands.begin(), operation.operands.end(), use);
      use(operation.result);
    }
  }

  /// The number of sliced variables of a table; they come first in every scope.
  size_t slicedPlaces(TableId id) const {
    const std::vector<VarId> &scope = program_.table(id).scope;
    const auto end = std::find_if(scope.begin(), scope.end(),
                                  [this](VarId v) { return levels_.ofVariable(v) == 0; });
    return static_cast<size_t>(end - scope.begin());
  }

  /// Finds the tables that may be stored in one way only, and those that must be stored alike. A
  /// stored table of which one reader takes slices and another does not keeps its order, because
  /// another order could scatter the slices.
  void fixTables() {
    for (size_t i = 0; i < program_.tables.size(); ++i) {
      const TableId id{i}, stored = program_.stored(id);
      if (program_.table(id).isIdentity || slicedPlaces(id) != slicedPlaces(stored))
        isFixed_[stored.index()] = 1;
    }
    for (const Operation &operation : program_.operations) {
      if (levels_.accumulates(operation))
        for (const TableId id : {operation.operands[0], operation.result})
          isFixed_[program_.stored(id).index()] = 1;
      if (splitsRead(program_, operation) > 1) {
        partners_[operation.operands[0].index()] = operation.result;
        partners_[operation.result.index()] = operation.operands[0];
      }
    }
    for (const ProgramOutput &output : program_.outputs)
      if (program_.table(output.table).sizeElems > kMostOutputElems)
        isFixed_[program_.stored(output.table).index()] = 1;
    for (size_t i = 0; i < partners_.size(); ++i)
      if (partners_[i].valid() && isFixed_[i])
        isFixed_[partners_[i].index()] = 1;
  }

  /// The time of all runs of a launch; infinite when a chain no longer fits; nothing if it is
  /// unknown.
  std::optional<double> ask(const Launch &launch) const {
    if (launch.chain == nullptr) {
      const auto timeUs = costs_.storedUs(program_, launch.first);
      return timeUs ? std::optional(*timeUs * launch.runs) : std::nullopt;
    }
    const std::vector<OpId> operations = launch.chain->operations();
    return launch.runs * costs_.chainUs(program_, launch.chain->message, operations)
                             .value_or(std::numeric_limits<double>::infinity());
  }

  std::optional<double> timeUs(uint32_t launch) {
    if (!launches_[launch].timeUs)
      launches_[launch].timeUs = ask(launches_[launch]);
    return launches_[launch].timeUs;
  }

  /// The single operations to try: those of the greatest losses, the last one in the program first.
  std::vector<OpId> losers() {
    std::vector<std::pair<double, OpId>> losses;
    for (uint32_t i = 0; i < launches_.size(); ++i) {
      const Launch &launch = launches_[i];
      if (launch.chain != nullptr || costs_.layoutCandidates(program_, launch.first).empty())
        continue;
      const double floorUs =
          launch.runs * costs_.operationUs(program_, program_.operation(launch.first));
      if (const auto now = timeUs(i); now && *now - floorUs >= kLeastLoss * costs_.leastGainUs())
        losses.emplace_back(*now - floorUs, launch.first);
    }
    std::stable_sort(losses.begin(), losses.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    double sumUs = 0, takenUs = 0;
    for (const auto &[lossUs, id] : losses)
      sumUs += lossUs;
    std::vector<OpId> operations;
    for (const auto &[lossUs, id] : losses) {
      if (operations.size() == kMostOperations || takenUs >= kMostOfLoss * sumUs)
        break;
      operations.push_back(id);
      takenUs += lossUs;
    }
    std::sort(operations.begin(), operations.end(), std::greater<>());
    return operations;
  }

  bool improve(OpId id) {
    for (const LayoutCandidate &candidate : costs_.layoutCandidates(program_, id)) {
      const Layouts all = changesOf(candidate);
      if (all.empty())
        continue;
      if (attempt(id, all))
        return true;
      Layouts own;
      for (const auto &change : all)
        if (const size_t i = change.first.index(); users_[i].size() == 1 && !partners_[i].valid())
          own.push_back(change);
      if (!own.empty() && own.size() < all.size() && attempt(id, own))
        return true;
    }
    return false;
  }

  /// The changes that a proposal makes to tables that may be stored in another order.
  Layouts changesOf(const LayoutCandidate &candidate) const {
    Layouts changes;
    const auto isNamed = [&changes](TableId id) {
      return std::any_of(changes.begin(), changes.end(),
                         [id](const auto &change) { return change.first == id; });
    };
    for (const auto &[id, order] : candidate) {
      const TableId stored = program_.stored(id);
      std::optional<std::vector<uint32_t>> layout = layoutFor(program_.table(id).scope, order);
      if (isFixed_[stored.index()] || isNamed(stored) || !layout ||
          *layout == program_.table(stored).layout)
        continue;
      changes.emplace_back(stored, *layout);
      if (const TableId partner = partners_[stored.index()]; partner.valid()) {
        const size_t places = program_.table(partner).scope.size();
        MPF_CHECK(layout->empty() || layout->size() == places,
                  "a layout of {} variables for table {} of {}", layout->size(), partner, places);
        changes.emplace_back(partner, std::move(*layout));
      }
    }
    return changes;
  }

  /// Exchanges the layouts of tables with those in `changes`.
  void exchange(Layouts &changes) {
    for (auto &[id, layout] : changes)
      std::swap(program_.tables[id.index()].layout, layout);
  }

  /// Stores tables as `changes` say if operation `id` then gains more than all others lose.
  bool attempt(OpId id, Layouts changes) {
    const uint32_t own = launchOf_[id.index()];
    std::vector<uint32_t> touched{own};
    for (const auto &[table, layout] : changes)
      for (const uint32_t user : users_[table.index()])
        if (std::find(touched.begin(), touched.end(), user) == touched.end())
          touched.push_back(user);
    double beforeUs = 0;
    for (const uint32_t launch : touched)
      beforeUs += timeUs(launch).value_or(std::numeric_limits<double>::infinity());
    if (!std::isfinite(beforeUs)) // a chain that runs step by step, or nothing is known
      return false;
    const double leastGainUs = kLeastGain * *timeUs(own);
    exchange(changes);
    // Predictions take long: the others are not predicted where the operation itself gains nothing.
    double afterUs = 0;
    std::vector<double> times;
    for (const uint32_t launch : touched) {
      afterUs += times.emplace_back(
          ask(launches_[launch]).value_or(std::numeric_limits<double>::infinity()));
      const double ofOwnUs = launch == own ? *timeUs(own) : beforeUs;
      if (!(afterUs <= ofOwnUs - leastGainUs)) {
        exchange(changes);
        return false;
      }
    }
    for (size_t i = 0; i < touched.size(); ++i) {
      launches_[touched[i]].timeUs = times[i];
      launches_[touched[i]].toAsk |= touched[i] != own;
    }
    return true;
  }

  TableProgram &program_;
  DeviceCosts &costs_;
  const SliceLevels &levels_;
  std::vector<Launch> launches_;             ///< in execution order
  std::vector<uint32_t> launchOf_;           ///< by operation that runs
  std::vector<std::vector<uint32_t>> users_; ///< by stored table: launches, ascending
  std::vector<TableId> partners_;            ///< by table: the splits of its sum, or their sum
  std::vector<char> isFixed_;                ///< by stored table
};

} // namespace

void passLayOutTables(TableProgram &program, DeviceCosts &costs, const SearchStop &stop) {
  if (stop.now())
    return;
  // Most programs are small: their gain is not worth the predictions.
  double sumUs = 0;
  const SliceLevels levels(program);
  for (const Operation &operation : program.operations)
    sumUs += costs.operationUs(program, operation) * levels.runs(levels.ofOperation(operation));
  if (sumUs > costs.leastGainUs())
    TableLayouts(program, costs, levels).choose(stop);
}

} // namespace mpf
