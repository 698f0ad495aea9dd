// Adds evidence and queries from outside of a model file: the texts of `mpfc run --observe` and
// `--query`, and CompileOptions::query of a host program. They are in the language of .mpf files
// for models of every format.
#pragma once

#include "dsl/model/build/settle_query.h"
#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <span>
#include <vector>

namespace mpf {

/// The texts. Messages use the name of each text ("--observe").
struct ModelQuestions {
  using Text = std::shared_ptr<const SourceBuffer>;

  std::vector<Text> unobserve; ///< variables: wet, x[3], x
  std::vector<Text> observe;   ///< as in `observe` declarations: wet = yes, rain ~ [0.3, 0.7]
  /// Queries as in `query` declarations, or names of queries of the model. A name that starts with
  /// the word of a short form is in backquotes. A single text may have conditions: P(rain | wet =
  /// yes), best | wet = yes.
  std::vector<Text> queries;

  bool empty() const { return unobserve.empty() && observe.empty() && queries.empty(); }
};

/// Removes evidence, adds evidence, and replaces the queries, in this order. New observations
/// replace the model's evidence on their variables, with a note. A variable in both lists is an
/// error. Conditions become evidence of the
/// model; one that differs from its evidence, also in do(), is an error. Variables that a list of
/// cases sets cannot be observed. Returns false after reporting an error: the model must not be
/// used then.
///
/// A query that the evidence contradicts (settle_query.h) is an error. With `refused` it leaves the
/// model instead, if others stay, and is added there. `files` reads the arrays that the texts name.
bool askModel(Model &model, const ModelQuestions &questions, const ModelFiles &files,
              Diagnostics &diagnostics, std::vector<RefusedQuery> *refused = nullptr);

/// Warns if `asked` multiplies factors and all queries of `own`, the model's, add them: then these
/// are costs, and no weights. `place` is that of the question.
void warnOfCosts(std::span<const Query> own, const Query &asked, SourcePlace place,
                 Diagnostics &diagnostics);

/// Gives a short form the type and the place of the same one among `queries`, if there is one.
void takeTypeOfSame(std::span<const Query> queries, Query &shortForm);

} // namespace mpf
