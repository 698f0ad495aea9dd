// The columns of the table of answers: one row for each case, the queries side by side.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/case_answers.h"

#include <string>
#include <vector>

namespace mpf::driver {

enum class AnswerContent {
  Kept,      ///< text of the list of cases
  Entries,   ///< the entries of a table, one column each; empty cells for a posterior of zeros
  Logarithm, ///< the natural logarithms of the entries of a table
  Param,     ///< the value of a swept param
  Lod,       ///< the decimal logarithm of a number over AnswerGroup::lnReference
  States,    ///< an assignment, one column for each variable; empty cells where there is none
};

/// Neighbouring columns with one kind of content.
struct AnswerGroup {
  AnswerContent content = AnswerContent::Entries;
  size_t query = 0;                             ///< the number of the query; Param: unused
  std::string asked;                            ///< its name, or that of one of joined queries
  size_t table = 0;                             ///< number of its table; Param: number of the param
  double lnReference = 0;                       ///< Lod: a natural logarithm
  std::vector<std::string> names;               ///< one per column
  std::vector<std::vector<std::string>> labels; ///< States: by variable; empty: numbers
};

/// Returns the columns of queries whose answers have the layouts `layouts`. The names of columns
/// are "ln(evidence)"; "P(rain=no)" and, for two variables, "P(a=0, b=yes)"; "q" or "q(a=0)" for an
/// expression q. The best assignment has "ln(best)" and the names of the variables. Whole numbers
/// have no logarithm: "evidence", "best".
///
/// A column that several queries have by definition (the evidence, a posterior) is there once, as
/// the first of them answers it. A name that is used in `taken`, whose columns come first, or by an
/// earlier query, gets the query's name before it: "best: rain". Columns stand in the order of
/// `order`, the names of queries and members of joined ones; others behind them.
std::vector<AnswerGroup> answerColumns(const Model &model, const std::vector<Query> &queries,
                                       const std::vector<CaseAnswers> &layouts,
                                       const std::vector<AnswerGroup> &taken = {},
                                       const std::vector<std::string> &order = {});

/// Returns a group of the kept columns of the list, if there are any.
std::vector<AnswerGroup> keptColumns(const CaseSchema &schema);

/// Returns a group of one column for each swept param, with the param's name, or "swept: theta" if
/// one of `taken`, whose columns come first, has that name.
std::vector<AnswerGroup> sweptColumns(const CaseSchema &schema,
                                      const std::vector<SweptParam> &swept,
                                      const std::vector<AnswerGroup> &taken = {});

/// Returns the number of columns.
size_t columnCount(const std::vector<AnswerGroup> &groups);

} // namespace mpf::driver
