#include "dsl/model/read/read_queries.h"

#include "dsl/model/print/print_model.h"
#include "dsl/support/text/call_for_word.h"

#include <utility>

namespace mpf {

bool QueryLines::readLine() {
  using Read = void (QueryLines::*)();
  static constexpr std::pair<std::string_view, Read> kLines[] = {
      {"query", &QueryLines::readQuery},   {"output", &QueryLines::readOutput},
      {"asked", &QueryLines::readAsked},   {"given", &QueryLines::readGiven},
      {"reduce", &QueryLines::readReduce}, {"factors", &QueryLines::readFactors}};
  return callForWord(kLines, lines_.keyword().text, *this);
}

void QueryLines::readQuery() {
  Query query;
  query.place = lines_.here();
  query.name = lines_.takeWord("a query name").value_or("");
  const auto kind = lines_.takeKey("kind");
  const auto combine = kind ? lines_.takeKey("combine") : std::nullopt;
  const auto samples =
      combine ? lines_.takeUnsignedKey("samples", limits_.maxSamples) : std::nullopt;
  if (!samples)
    return;
  const std::optional<QueryKind> known = queryKindNamed(*kind);
  if (!known)
    lines_.report("'{}' is not a kind of query", *kind);
  query.kind = known.value_or(QueryKind::Evidence);
  if (*combine != "times" && *combine != "plus")
    lines_.report("combine= is times or plus, found '{}'", *combine);
  query.combine = *combine == "plus" ? Combine::Plus : Combine::Times;
  query.sampleCount = *samples;
  if (lines_.acceptLiteral("rows"))
    query.rowVariables = static_cast<uint32_t>(
        lines_.takeUnsigned("number of variables", limits_.maxScope).value_or(0));
  if (const auto type = lines_.atEndOfLine() ? std::nullopt : lines_.takeKey("type")) {
    query.type = elementTypeNamed(*type);
    if (!query.type)
      lines_.report("'{}' is no element type: f32, f64, u64 or u128", *type);
  }
  model_.queries.push_back(std::move(query));
}

Query *QueryLines::query() {
  if (model_.queries.empty())
    lines_.report("'{}' without a query before it", lines_.keyword().text);
  return model_.queries.empty() ? nullptr : &model_.queries.back();
}

void QueryLines::readOutput() {
  if (Query *owner = query())
    owner->output = names_.takeVariables();
}

void QueryLines::readAsked() {
  if (Query *owner = query())
    owner->asked = names_.takeVariables();
}

void QueryLines::readGiven() {
  Query *const owner = query();
  const auto observation = names_.takeObservation();
  if (owner && observation)
    owner->given.push_back(*observation);
}

void QueryLines::readReduce() {
  Query *owner = query();
  const auto word = lines_.takeWord("sum, max, min or logsum");
  if (!owner || !word)
    return;
  for (const Reduce reduce : {Reduce::Sum, Reduce::Max, Reduce::Min, Reduce::LogSum})
    if (reduceName(reduce) == *word) {
      owner->reductions.push_back({reduce, names_.takeVariables()});
      return;
    }
  lines_.report("'{}' is not a reduction: sum, max, min or logsum", *word);
}

void QueryLines::readFactors() {
  Query *owner = query();
  if (!owner)
    return;
  if (lines_.acceptLiteral("all")) {
    queryEntries_ += model_.factors.size();
    if (queryEntries_ > limits_.maxQueryEntries)
      return lines_.report("the queries name {} factors, the limit is {}", queryEntries_,
                           limits_.maxQueryEntries);
    for (size_t i = 0; i < model_.factors.size(); ++i)
      owner->factors.emplace_back(i);
    return;
  }
  names_.takeFactors(owner->factors);
}

} // namespace mpf
