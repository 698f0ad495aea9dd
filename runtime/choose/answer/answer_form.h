// FORMS OF PROGRAM: the forms that answer a query, and the properties of each that other stages
// depend on, as one table. A stage should read a property from the table in place of comparing
// forms. A new form takes an enumerator and a row here, and a row of functions in
// runtime/engine/list/engine_rows.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace mpf {

/// The engines of a list are planned in this order.
enum class AnswerForm {
  Lanes,      ///< a lane program: cases are computed side by side
  Tables,     ///< a table program; for lists of cases it has a case variable
  SingleRuns, ///< a table program of one case, run for each case
  Enumerate,  ///< no program: every joint state of the variables is looked at
};

struct FormTraits {
  AnswerForm form;
  std::string_view word;    ///< in answer plans
  std::string_view option;  ///< value of --engine
  std::string_view name;    ///< of its engine, for people
  bool isOneByOne = false;  ///< its engine answers one case after the other
  bool mustBeAsked = false; ///< a list is answered by it only if the user asks for it
  /// Why `mpfc emit` shows no stage of it; empty: it shows them.
  std::string_view hidesStages = {};
};

inline constexpr std::array<FormTraits, 4> kAnswerForms = {{
    {.form = AnswerForm::Lanes, .word = "lanes", .option = "lanes", .name = "lanes"},
    {.form = AnswerForm::Tables, .word = "tables", .option = "tables", .name = "tables"},
    {.form = AnswerForm::SingleRuns,
     .word = "single-runs",
     .option = "single",
     .name = "single runs",
     .isOneByOne = true,
     .hidesStages = "a single run has the stages of the model without its list of cases"},
    {.form = AnswerForm::Enumerate,
     .word = "enumerate",
     .option = "enumerate",
     .name = "enumeration",
     .isOneByOne = true,
     .mustBeAsked = true,
     .hidesStages = "it has no program, so it has no stages"},
}};

constexpr const FormTraits &traitsOf(AnswerForm form) {
  return kAnswerForms[static_cast<size_t>(form)];
}

} // namespace mpf
