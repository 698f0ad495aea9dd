// Prints the lines of a program's head. head_lines.h reads them back.
//
//   tables "P(x)" joint f64                      form, name, kind of query, type; a form may add
//                                                words to this line
//   variable x extent=3                          numbered from 0 in this order
//   variable y extent=2 fixed=1 labels no yes    in state 1 in every case
//   variable z extent=2 observed=0               observed, in a state that a session may change
//   observed 0                                   column 0: cases may observe variable 0
//   likelihood 2                                 cases give weights of the states of variable 2
//   param theta                                  cases give a number
//   varying elems=4 non-negative                 cases give the entries of a table, none below 0
//   input f conditional scope 0 1                the first varying tables are these factors, in
//     entries 0.6 0.4 0.99 0.01                  order; without entries it has no defaults
//   parameter theta 0.25                         numbered from 0; where a case does not set it
//   formula "P(y | x)" row=2 extents 2 2         the last varying tables follow from these, in this
//     entries 0.75 0.25 0.25 0.75                order; row: so many entries sum to 1, 0: none do;
//                                                `soft` behind it: some entry must not be 0
//     part 0 1 constant 1 param 0 subtract       entries 0 to 1, operands first; of parameter 0
#pragma once

#include "codegen/bundle/head/program_head.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The place of the entries of tables.
enum class EntryText {
  Printed, ///< in the text, exactly: reading gives the same bits
  Apart,   ///< beside the text, in the same order; the word `stored` marks these tables
};

/// Returns the first line of a program without its end.
std::string headLine(std::string_view form, const ProgramHead &head);

/// Appends the other lines of a head, which must be sound (verify_head.h).
void printHead(std::string &text, const ProgramHead &head, EntryText values);

/// Appends the entries of a table, in lines of 16.
void printEntries(std::string &text, std::span<const double> entries);

/// Returns the entries of the head's tables that lie apart, in the order of the text.
std::vector<std::span<const double>> entriesApart(const ProgramHead &head);

} // namespace mpf
