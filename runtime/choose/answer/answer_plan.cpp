#include "runtime/choose/answer/answer_plan.h"

#include "dsl/support/check.h"

namespace mpf {

std::string_view answerFormName(AnswerForm form) {
  switch (form) {
  case AnswerForm::Tables:
    return "tables";
  case AnswerForm::Lanes:
    return "lanes";
  case AnswerForm::SingleRuns:
    return "single-runs";
  }
  MPF_UNREACHABLE("form {}", static_cast<int>(form));
}

} // namespace mpf
