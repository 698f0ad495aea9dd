// Writes answers for programs: tables as CSV, as NumPy arrays, in the UAI competitions' format.
#pragma once

#include "tools/mpfc/options/options.h"
#include "tools/mpfc/print_answers.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Whether a file of this format holds the answers to several queries.
bool holdsManyAnswers(OutputFormat format);

/// Throws Error(Usage) if the format cannot hold the answer to the query, as far as that shows
/// before it is answered.
void requireHolds(OutputFormat format, const Model &model, const Query &query);

/// The bytes of a file of answers.
struct AnswerFile {
  std::string bytes;
  std::vector<std::string> leftOut; ///< why tables are not in it, a sentence for each
};

/// Returns the file. All but Npz hold the first result. Uai: uai_result.h; Sol, Mc, Wmc, Pmc and
/// Pwmc: count_result.h.
/// - Csv: a line for each entry. A number: query,value,log10,ln. A table: its variables, value.
///   Marginals: variable,state,probability. A best assignment: variable,state.
/// - Npy: the entries of one table in its shape, in doubles; the states of a best assignment.
/// - Npz: such an array for each table, by the table's name; marginals have one for each variable.
///   Arrays of a second query with a name that is taken have the query's name in front, and a
///   number behind it if that is taken too. A slash in a name is an underscore there.
/// Arrays have doubles. A table with a number that no double holds, or a count above 2^53, is left
/// out of an archive; if nothing is left, or for Npy, it is Error(BadInput). Throws Error(Usage)
/// for an answer that the format cannot hold. Precondition for all but Npz: not lacksAnswer
/// (print_answers.h).
AnswerFile answersIn(OutputFormat format, const Answers &answers);

} // namespace mpf::driver
