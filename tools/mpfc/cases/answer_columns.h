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
  States,    ///< an assignment, one column for each variable; empty cells where there is none
};

/// Neighbouring columns.
struct AnswerGroup {
  AnswerContent content = AnswerContent::Entries;
  size_t query = 0;                             ///< which query's answers; Param: none
  size_t table = 0;                             ///< which of its tables; Param: which of the cases
  std::vector<std::string> names;               ///< one per column
  std::vector<std::vector<std::string>> labels; ///< States: by variable; empty: numbers
};

/// For queries whose answers have the layouts `layouts`: "ln(evidence)"; "P(rain=no)" and, of two
/// variables, "P(a=0, b=yes)"; of an expression q "q" or "q(a=0)"; of the best assignment
/// "ln(best)" and the names of the variables. Whole numbers stand as they are: "evidence", "best".
///
/// A column that several queries have by definition (the evidence, a posterior) is there once, as
/// the first of them answers it. Names of `taken`, which come first, and of earlier queries get the
/// query's name before them: "best: rain".
std::vector<AnswerGroup> answerColumns(const Model &model, const std::vector<Query> &queries,
                                       const std::vector<CaseAnswers> &layouts,
                                       const std::vector<AnswerGroup> &taken = {});

/// A group of the columns of the list that are kept, if there are any.
std::vector<AnswerGroup> keptColumns(const CaseSchema &schema);

/// One group of one column for each swept param, with its name; where one of `taken`, which come
/// first, has it, "swept: theta".
std::vector<AnswerGroup> sweptColumns(const CaseSchema &schema,
                                      const std::vector<SweptParam> &swept,
                                      const std::vector<AnswerGroup> &taken = {});

/// How many columns there are.
size_t columnCount(const std::vector<AnswerGroup> &groups);

} // namespace mpf::driver
