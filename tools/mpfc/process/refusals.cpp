#include "tools/mpfc/process/refusals.h"

#include "dsl/source/text_error.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace mpf::driver {

namespace {

std::string othersGoOn(const std::string &query) {
  return fmt::format("mpfc: note: query {} is refused, the others go on\n", query);
}

} // namespace

void sayError(const Error &error) {
  const bool saysWhere = dynamic_cast<const TextError *>(&error) != nullptr;
  say("{}{}\n", saysWhere ? "" : "mpfc: error: ", error.what());
}

void Refusals::add(std::string query, const Error &error) {
  sayError(error);
  const std::lock_guard lock(mutex_);
  refusals_.push_back({std::move(query), error.what(), mpf::exitCode(error.kind())});
}

void Refusals::setQueries(std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  for (const Refusal &refusal : refusals_)
    if (std::ranges::find(names, refusal.query) == names.end())
      names.push_back(refusal.query);
  names_ = std::move(names);
}

void Refusals::addEarly(std::string query, const Error &error) {
  const std::string note = othersGoOn(query);
  add(std::move(query), error);
  say("{}", note);
}

std::vector<Refusal> Refusals::withUnanswered(const std::vector<std::string> &answered) const {
  const std::lock_guard lock(mutex_);
  std::vector<Refusal> all = refusals_;
  std::set<std::string_view> done(answered.begin(), answered.end());
  for (const Refusal &refusal : refusals_)
    done.insert(refusal.query);
  for (const std::string &name : names_)
    if (!done.contains(name))
      all.push_back({name,
                     fmt::format("query {}: the time limit was reached before a result", name),
                     mpf::exitCode(ErrorKind::TimeLimit)});
  return all;
}

RefusalPolicy Refusals::policy() {
  return RefusalPolicy([this](const std::string &query, const Error &error) {
    const std::string note = queries() > 1 ? othersGoOn(query) : "";
    add(query, error);
    say("{}", note);
  });
}

} // namespace mpf::driver
