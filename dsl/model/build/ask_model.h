// Evidence and queries for a Model that was read, from outside of its file: the texts behind
// `mpfc run --observe` and `--query`, and CompileOptions::query of a host program. They are in the
// language of .mpf files, whatever the format of the model.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <vector>

namespace mpf {

/// Texts; the name of each one is what messages call it ("--observe").
struct ModelQuestions {
  using Text = std::shared_ptr<const SourceBuffer>;

  std::vector<Text> unobserve; ///< variables: wet, x[3], x
  std::vector<Text> observe;   ///< what stands behind `observe`: wet = yes, rain ~ [0.3, 0.7]
  /// What stands behind `query`, or the name of a query of the model. A text that is alone may have
  /// conditions: P(rain | wet = yes), best | wet = yes.
  std::vector<Text> queries;

  bool empty() const { return unobserve.empty() && observe.empty() && queries.empty(); }
};

/// Takes evidence away, adds other, and replaces the queries, in this order. What is observed here
/// replaces what the model observes of the same variable, which a note says; a condition that
/// contradicts the evidence is an error. Conditions become evidence of the model. Variables that a
/// list of cases sets cannot be observed. False after reporting an error: the model is then of no
/// use.
bool askModel(Model &model, const ModelQuestions &questions, Diagnostics &diagnostics);

} // namespace mpf
