// Prints the pieces of a matrix kernel that CUDA and C++ share: offsets over fused digits, tiles.
#pragma once

#include "codegen/kernel/plan/matrix_shape.h"
#include "dsl/support/code_writer.h"

#include <initializer_list>
#include <string>

namespace mpf {

/// The offset of a fused digit's value, as "i / 12 % 7 * 84 + i % 12 * 3"; "0" for no parts.
/// `index` is a name or an expression in parentheses.
std::string fusedText(const std::vector<FusedPart> &parts, const std::string &index);

/// A fused digit and the name of its index.
struct FusedIndex {
  const std::vector<DigitId> &digits;
  const char *index;
};
/// The offset in a table of the plan's form: the sum of fusedText over `indices`.
std::string offsetText(const DigitForm &form, const DigitAccess &access,
                       std::initializer_list<FusedIndex> indices);

/// The type of offsets: "unsigned", or a 64-bit type where plan.indexWidth says so.
const char *indexTypeText(const MatrixPlan &plan);
/// Opens "for (int i = 0; i < 8; ++i) {", unrolled.
void openUnrolled(CodeWriter &out, const char *index, uint64_t count);

/// "a + b * 3", zeros left out; "0" when nothing is left.
std::string sumText(const std::vector<std::string> &addends);
/// "index * factor", "index" or "0".
std::string timesText(const std::string &index, uint64_t factor);

/// Prints a comment for people: "rows: d0 x d2, tile 128 of 4096, f * h formed, ..".
void writeMatrixComment(const MatrixPlan &plan, CodeWriter &out);

/// Declares batch, rowBase and columnBase, of type `type`, computed from the tile number `block`.
void writeTiles(const MatrixPlan &plan, const std::string &type, const std::string &block,
                CodeWriter &out);

} // namespace mpf
