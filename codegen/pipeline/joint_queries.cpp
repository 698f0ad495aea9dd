#include "codegen/pipeline/joint_queries.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace mpf {

namespace {

using Members = std::vector<const Query *>;

/// Microseconds that planning any query takes at least. Joined queries save it.
constexpr double kPlanUs = 1000;
/// Queries apart are predicted from so many of them.
constexpr size_t kSamples = 3;

/// Returns the predicted time of one run, from the work of all operations.
double runUs(const TableProgram &program, const RunCosts &costs) {
  RunWork work;
  for (const Operation &operation : program.operations)
    if (program.runs(operation))
      work.add({.operations = 1,
                .entries = static_cast<double>(operation.cost.readElems) +
                           static_cast<double>(operation.cost.writtenElems),
                .terms = static_cast<double>(operation.cost.addressCount)});
  return costs.runUs(work);
}

/// Whether some factor holds all variables of the query that are not observed.
class Factors {
public:
  explicit Factors(const Model &model) : model_(model), of_(model.variables.size()) {
    for (size_t i = 0; i < model.factors.size(); ++i)
      for (const VarId id : model.factors[i].scope)
        of_[id.index()].emplace_back(i);
  }

  bool hold(const Query &query) const {
    std::vector<VarId> open;
    std::ranges::copy_if(query.output, std::back_inserter(open),
                         [this](VarId id) { return !model_.evidence.observes(id); });
    if (open.size() < 2)
      return true;
    const VarId rarest =
        *std::ranges::min_element(open, {}, [this](VarId id) { return of_[id.index()].size(); });
    return std::ranges::any_of(of_[rarest.index()], [&](FactorId id) {
      const std::vector<VarId> &scope = model_.factor(id).scope;
      return std::ranges::all_of(
          open, [&scope](VarId v) { return std::ranges::find(scope, v) != scope.end(); });
    });
  }

private:
  const Model &model_;
  std::vector<std::vector<FactorId>> of_; ///< by variable
};

RefusalPolicy silent() {
  return RefusalPolicy([](const std::string &, const Error &) {});
}

class Joining {
public:
  /// `runs`: the number of runs over which joining must pay.
  Joining(const Model &model, const QueryPolicy &policy, double runs)
      : model_(model), policy_(policy), runs_(runs), factors_(model) {}

  /// Calls `join` with the query that answers the members, if joining them may pay.
  bool attempt(const Members &members, const JoinedAttempt &join) const {
    const bool isHeld =
        std::ranges::all_of(members, [this](const Query *one) { return factors_.hold(*one); });
    // A search for the order of a tree that is too wide would take long.
    if (!isHeld && !isWorthTrying(members))
      return false;
    return join(joinedQuery(members), [&](const TableProgram &program, ElementType type) {
      return !isHeld || pays(program, type, members);
    });
  }

  /// Whether joining the members pays, by plans of the shortest search.
  bool isWorthTrying(const Members &members) const {
    const std::optional<PlannedQuery> trial = tried(joinedQuery(members));
    return trial && pays(trial->program, trial->type, members);
  }

  /// Returns the members that some factor holds.
  Members held(const Members &members) const {
    Members some;
    std::ranges::copy_if(members, std::back_inserter(some),
                         [this](const Query *one) { return factors_.hold(*one); });
    return some;
  }

private:
  /// Returns a plan by the shortest search; nothing if the query is refused.
  std::optional<PlannedQuery> tried(const Query &query) const {
    QueryPolicy policy = policy_;
    policy.settings.order = OrderMethod::MinFill;
    policy.hooks = {};
    policy.report = {};
    policy.refusals = silent();
    std::optional<PlannedQuery> plan;
    planEach(model_, {query}, policy, [&plan](PlannedQuery made) { plan = std::move(made); });
    return plan;
  }

  bool pays(const TableProgram &joined, ElementType type, const Members &members) const {
    const RunCosts costs = pipelineFor(policy_, type).options().plan.runCosts;
    const auto count = static_cast<double>(members.size());
    const double joinedUs = runs_ * runUs(joined, costs);
    if (joinedUs <= count * kPlanUs)
      return true;
    double apartUs = 0;
    const size_t samples = std::min(kSamples, members.size());
    for (size_t i = 0; i < samples; ++i) {
      const std::optional<PlannedQuery> apart =
          tried(*members[i * (members.size() - 1) / (samples - 1)]);
      if (!apart) // refused alone: then it is refused with its own message
        return false;
      apartUs += kPlanUs + runs_ * runUs(apart->program, costs);
    }
    return joinedUs <= count * apartUs / static_cast<double>(samples);
  }

  const Model &model_;
  const QueryPolicy &policy_;
  const double runs_;
  const Factors factors_;
};

/// The queries that may be joined: they have equal conditions and one element type.
class Groups {
public:
  /// `queries` must outlive this.
  Groups(const std::vector<Query> &queries, std::optional<ElementType> type) : queries_(queries) {
    using Conditions = std::vector<std::pair<uint32_t, uint32_t>>;
    std::map<std::pair<Conditions, ElementType>, size_t> groups;
    for (const Query &query : queries) {
      of_.emplace_back();
      if (!traitsOf(query.kind).mayBeJoined())
        continue;
      Conditions conditions;
      for (const Observation &seen : query.given)
        conditions.emplace_back(seen.variable.value, seen.state);
      std::ranges::sort(conditions);
      const auto [group, isNew] =
          groups.try_emplace({std::move(conditions), elementTypeOf(query, type)}, members_.size());
      if (isNew)
        members_.emplace_back();
      members_[group->second].push_back(&query);
      of_.back() = group->second;
    }
  }

  /// Whether some group has several queries.
  bool any() const {
    return std::ranges::any_of(members_, [](const Members &group) { return group.size() > 1; });
  }

  /// Visits the queries in their order. Calls `join` for each group, at its first query; then, if
  /// it returned false, for those of the group that some factor holds. Calls `alone` for each query
  /// that was not joined.
  void visit(const Joining &joining, const std::function<bool(const Members &)> &join,
             const std::function<void(const Query &)> &alone) const {
    std::vector<char> isTried(members_.size(), 0), isDone(queries_.size(), 0);
    const auto joins = [&](const Members &members) {
      if (members.size() < 2 || !join(members))
        return false;
      for (const Query *member : members)
        isDone[static_cast<size_t>(member - queries_.data())] = 1;
      return true;
    };
    for (size_t i = 0; i < queries_.size(); ++i) {
      if (!isDone[i] && of_[i] && !std::exchange(isTried[*of_[i]], 1)) {
        const Members &members = members_[*of_[i]];
        if (members.size() > 1 && !joins(members))
          if (const Members held = joining.held(members); held.size() < members.size())
            joins(held);
      }
      if (!isDone[i])
        alone(queries_[i]);
    }
  }

private:
  const std::vector<Query> &queries_;
  std::vector<Members> members_;          ///< of each group
  std::vector<std::optional<size_t>> of_; ///< the group of each query
};

/// Whether some queries may be joined. Without the values of all tables, each query is refused.
bool mayJoin(const Model &model, const Groups &groups) {
  return groups.any() && std::ranges::all_of(model.factors, [](const Factor &factor) {
           return storedValues(factor) != nullptr;
         });
}

/// Returns a copy without queries: planEach copies the model for each plan.
Model withoutQueries(const Model &model) {
  Model bare = model;
  bare.queries.clear();
  return bare;
}

} // namespace

Query joinedQuery(const std::vector<const Query *> &members) {
  MPF_CHECK(members.size() > 1, "{} queries to join", members.size());
  Query query = *members.front();
  query.kind = QueryKind::Joints;
  query.rowVariables = 0;
  query.name = fmt::format("{} and {} more", query.name, members.size() - 1);
  for (const Query *member : members) {
    MPF_CHECK(traitsOf(member->kind).mayBeJoined(), "{} cannot be joined", member->name);
    query.joined.push_back({member->name, member->output, member->rowVariables, member->place});
    query.output.insert(query.output.end(), member->output.begin(), member->output.end());
  }
  std::ranges::sort(query.output);
  query.output.erase(std::ranges::unique(query.output).begin(), query.output.end());
  return query;
}

std::vector<Query> membersOf(const Query &query) {
  if (query.joined.empty())
    return {query};
  std::vector<Query> members;
  for (const JoinedQuery &joined : query.joined) {
    Query &member = members.emplace_back(query);
    member.joined.clear();
    member.kind = QueryKind::Joint;
    member.name = joined.name;
    member.output = joined.output;
    member.rowVariables = joined.rowVariables;
    member.place = joined.place;
  }
  return members;
}

void joinWhereItPays(const Model &model, const std::vector<Query> &queries,
                     const QueryPolicy &policy, const JoinedAttempt &join,
                     const std::function<void(const Query &)> &alone) {
  const Groups groups(queries, policy.settings.type);
  if (!mayJoin(model, groups))
    return std::ranges::for_each(queries, alone), void();
  const Model bare = withoutQueries(model);
  const Joining joining(bare, policy, 1);
  groups.visit(
      joining, [&](const Members &members) { return joining.attempt(members, join); }, alone);
}

void compileJoined(const Model &model, const std::vector<Query> &queries, const QueryPolicy &policy,
                   const std::function<void(Bundle)> &take) {
  if (queries.size() < 2)
    return compileEach(model, queries, policy, take);
  const Model bare = withoutQueries(model);
  const auto join = [&](const Query &query, const JoiningPays &pays) {
    Diagnostics warnings;
    QueryPolicy trying = policy;
    trying.refusals = silent();
    trying.report = [&warnings](const Diagnostics &diagnostics) { warnings = diagnostics; };
    std::optional<Bundle> bundle;
    planEach(bare, {query}, trying, [&](PlannedQuery plan) {
      if (!pays(plan.program, plan.type))
        return;
      silent().attempt(query.name, [&] {
        bundle =
            pipelineFor(policy, plan.type)
                .compileProgram(plan.simple.model, plan.program, std::move(plan.simple.answer));
      });
    });
    if (!bundle)
      return false;
    if (policy.report)
      policy.report(warnings);
    take(std::move(*bundle));
    return true;
  };
  joinWhereItPays(model, queries, policy, join,
                  [&](const Query &query) { compileEach(bare, {query}, policy, take); });
}

std::vector<Query> joinedForCases(const Model &model, const std::vector<Query> &queries,
                                  const QueryPolicy &policy, double cases) {
  const Groups groups(queries, policy.settings.type);
  if (!mayJoin(model, groups))
    return queries;
  const Model bare = withoutQueries(model);
  const Joining joining(bare, policy, cases);
  std::vector<Query> answered;
  groups.visit(
      joining,
      [&](const Members &members) {
        const bool isJoined = joining.isWorthTrying(members);
        if (isJoined)
          answered.push_back(joinedQuery(members));
        return isJoined;
      },
      [&](const Query &query) { answered.push_back(query); });
  return answered;
}

} // namespace mpf
