// BUCKET SHAPE: one bucket of the benchmark as plain data: extents, scopes, layouts.
//
// Every table is row-major over its scope as written (last variable fastest), so a permuted layout
// is another shape. Variables that the result does not have are reduced.
#pragma once

#include "codegen/kernel/form/chain_form.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf::bench {

using Scope = std::vector<uint32_t>; ///< indices of variables, most significant first

struct BucketShape {
  std::string set;               ///< "ics08", "gems", "canonical", "tccg", "chain"
  std::string name;              ///< unique in its set
  std::vector<uint32_t> extents; ///< one per variable
  std::vector<Scope> operands;
  Scope result;
  /// The shape is a chain of buckets: operand 0 is a message, and each other operand is a factor of
  /// one step. A step reduces the variables that neither later operands nor the result have.
  bool chain = false;
  std::optional<ElementType> type; ///< measured in this type only
  bool layoutsFree = false;        ///< the planner may lay the tables out
  std::vector<uint32_t> packed;    ///< operands of zeros and ones, one bit each; not in chains
};

/// Reads a shape that is written like an einsum, one letter per variable: "xk,yk->xy". In
/// "!xk,k->x" the first operand is packed. Throws Error(Usage) for a letter without an extent.
BucketShape shapeFromLetters(std::string_view set, std::string_view name,
                             std::string_view expression,
                             const std::vector<std::pair<char, uint32_t>> &extents);

/// Returns the bucket as an operation in digit form. `mergeDigits`: see buildDigitForm.
DigitForm digitFormOf(const BucketShape &shape, Semiring semiring, bool mergeDigits = true);

/// Returns the steps of a chain shape. Throws Error(Internal) if they are no chain.
ChainForm chainFormOf(const BucketShape &shape, Semiring semiring);

/// Returns the number of bucket addresses: the product of all extents; saturates at UINT64_MAX.
uint64_t addressesOf(const BucketShape &shape);
/// Returns the number of entries of all operands and the result; saturates at UINT64_MAX.
uint64_t tableElemsOf(const BucketShape &shape);
/// Returns the input complexity of ICS'08 section 7.1: the multiplications and additions of the
/// definition. These are m - 1 per address and S - 1 per result entry (a product of 2 x 2 matrices:
/// 12). For a chain it is the sum over its steps.
double operationsOf(const BucketShape &shape);

/// Returns the bucket with its largest kept extents (then its largest reduced ones) halved until it
/// has at most `maxOperations` operations and `maxElems` table entries. The quotient of addresses
/// is then part of the name: "pair/64".
BucketShape shrunkTo(BucketShape shape, double maxOperations, uint64_t maxElems);

/// Returns the bucket in up to `orders` layouts, as the compiler chooses them
/// (codegen/kernel/form/choose_layouts.h). Variables that are in the same tables are adjacent in
/// every table, so that they merge into at most 2^m - 1 digits. A shape whose layouts are not free
/// is returned unchanged.
std::vector<BucketShape> laidOut(const BucketShape &shape, size_t orders);

} // namespace mpf::bench
