#include "dsl/formats/cases/npy_rows.h"

#include "dsl/formats/cases/byte_columns.h"
#include "dsl/formats/cases/npy_codes.h"
#include "dsl/formats/tables/npy_number.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

namespace mpf {

namespace {

static_assert(NpyRows::kPaddingBytes >= kTurnedPaddingBytes);

/// The bytes of a piece of rows, which stays in the cache of a CPU for all columns.
constexpr uint64_t kPieceBytes = 16 << 10;

bool isThisMachines(const NpyType &type) { return !type.bigEndian || type.bytes == 1; }

} // namespace

NpyRows::NpyRows(const CaseHeader &header, std::vector<NpyColumn> columns, uint64_t rowBytes,
                 const Model &model, NumberReading numbers)
    : schema_(header.schema), rowBytes_(rowBytes),
      likelihoods_(likelihoodRows(header.schema, model)), constant_(header.constant) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const CaseColumn &column = header.columns[i];
    if (column.cell == CaseCell::Ignored)
      continue;
    const bool isOfVariable = column.cell == CaseCell::State || column.cell == CaseCell::Weight;
    columns_.push_back({column.cell, column.index,
                        isOfVariable ? model.variable(column.variable).extent : 0,
                        isOfVariable                     ? model.variable(column.variable).name
                        : column.cell == CaseCell::Param ? schema_.params[column.index]
                                                         : column.entry,
                        columns[i], column.missing, nullptr});
    if (column.cell == CaseCell::State)
      if (NumberCodes codes(model.variable(column.variable), numbers);
          codes.areNeeded(columns[i].type))
        columns_.back().numbers = std::make_shared<const NumberCodes>(std::move(codes));
  }
  turned_ = byteColumns();
}

std::vector<NpyRows::ByteColumns> NpyRows::byteColumns() const {
  std::vector<ByteColumns> found;
  const auto isByte = [](const Column &column) {
    return column.cell == CaseCell::State && column.stored.type.bytes == 1;
  };
  for (size_t c = 0; c < columns_.size() && rowBytes_ != 0; ++c) {
    if (!isByte(columns_[c]))
      continue;
    const bool goesOn = !found.empty() && found.back().first + found.back().count == c &&
                        columns_[c].stored.offset == columns_[c - 1].stored.offset + 1;
    if (!goesOn)
      found.push_back({c, 0});
    ++found.back().count;
  }
  return found;
}

std::vector<RowByte> NpyRows::rowBytes() const {
  constexpr uint32_t kFirstNegative = 128, kLargest = 255;
  std::vector<RowByte> bytes(schema_.observed.size());
  if (rowBytes_ != bytes.size() || columns_.size() != bytes.size())
    return {};
  for (const Column &column : columns_) {
    const NpyType &type = column.stored.type;
    const uint32_t none = type.kind == NpyKind::Signed ? kFirstNegative : kLargest;
    const bool isInteger = type.kind == NpyKind::Signed || type.kind == NpyKind::Unsigned;
    if (column.cell != CaseCell::State || column.numbers || !isInteger || type.bytes != 1 ||
        column.extent > none)
      return {};
    bytes[column.index] = {static_cast<uint32_t>(column.stored.offset), column.extent, none};
  }
  return bytes;
}

/// Converts some rows.
class NpyRows::Walk {
public:
  Walk(const NpyRows &rows, const char *bytes, uint32_t count, CaseBlock &block, uint32_t first)
      : rows_(rows), bytes_(bytes), count_(count), block_(block), first_(first) {}

  RowProblems run() {
    const uint64_t width = std::max<uint64_t>(rows_.rowBytes_, 1);
    const uint64_t fitting = kPieceBytes / width / kTurnedRows * kTurnedRows;
    pieceRows_ = static_cast<uint32_t>(
        rows_.rowBytes_ == 0 ? count_ : std::max<uint64_t>(fitting, kTurnedRows));
    turned_.resize(rows_.turned_.empty() ? 0 : rows_.columns_.size() * pieceRows_);
    for (uint32_t begin = 0; begin < count_; begin += std::min(pieceRows_, count_ - begin))
      takePiece(begin, std::min(count_ - begin, pieceRows_));
    for (uint32_t row = 0; row < count_; ++row)
      for (const LikelihoodRows &likelihood : rows_.likelihoods_)
        checkWeights(likelihood, row);
    for (const ConstantWeight &weight : rows_.constant_)
      std::fill_n(block_.weights().begin() +
                      static_cast<ptrdiff_t>(weight.row * block_.pitch() + first_),
                  count_, weight.value);
    sortProblems(problems_);
    return std::move(problems_);
  }

private:
  /// A piece of a column: some rows.
  struct Piece {
    const Column &column;
    size_t number;     ///< number of the column
    uint32_t row;      ///< the first row
    uint32_t count;    ///< number of rows
    const char *items; ///< the item of the first row
    uint64_t stride;

    const char *at(uint32_t i) const { return items + i * stride; }
  };

  void takePiece(uint32_t row, uint32_t count) {
    for (const ByteColumns &run : rows_.turned_)
      turnByteRows(bytes_ + row * rows_.rowBytes_ + rows_.columns_[run.first].stored.offset,
                   rows_.rowBytes_, count, run.count, turned_.data() + run.first * pieceRows_,
                   pieceRows_);
    auto run = rows_.turned_.begin();
    for (size_t c = 0; c < rows_.columns_.size(); ++c) {
      if (run != rows_.turned_.end() && c == run->first + run->count)
        ++run;
      const Column &column = rows_.columns_[c];
      const NpyColumn &stored = column.stored;
      const uint64_t bytes = stored.type.bytes;
      if (run != rows_.turned_.end() && c >= run->first)
        takeColumn({column, c, row, count, turned_.data() + c * pieceRows_, 1});
      else if (rows_.rowBytes_ != 0)
        takeColumn({column, c, row, count, bytes_ + row * rows_.rowBytes_ + stored.offset,
                    rows_.rowBytes_});
      else
        takeColumn({column, c, row, count, bytes_ + (stored.offset * count_ + row) * bytes, bytes});
    }
  }

  void takeColumn(const Piece &piece) {
    if (piece.column.cell != CaseCell::State)
      return takeNumbers(piece);
    switch (block_.codeBytes()) {
    case 1:
      return takeStates<uint8_t>(piece);
    case 2:
      return takeStates<uint16_t>(piece);
    default:
      return takeStates<uint32_t>(piece);
    }
  }

  template <class Code> void takeStates(const Piece &piece) {
    const NpyType &type = piece.column.stored.type;
    if (type.kind == NpyKind::Float)
      return type.bytes == 8   ? takeItems<Code, double>(piece)
             : type.bytes == 4 ? takeItems<Code, float>(piece)
                               : takeHalves<Code>(piece);
    if (type.kind == NpyKind::Bool)
      return takeBools<Code>(piece);
    const bool isSigned = type.kind == NpyKind::Signed;
    switch (type.bytes) {
    case 1:
      return isSigned ? takeItems<Code, int8_t>(piece) : takeItems<Code, uint8_t>(piece);
    case 2:
      return isSigned ? takeItems<Code, int16_t>(piece) : takeItems<Code, uint16_t>(piece);
    case 4:
      return isSigned ? takeItems<Code, int32_t>(piece) : takeItems<Code, uint32_t>(piece);
    default:
      return isSigned ? takeItems<Code, int64_t>(piece) : takeItems<Code, uint64_t>(piece);
    }
  }

  template <class Code> Code *codesOf(const Piece &piece) {
    return reinterpret_cast<Code *>(block_.column(piece.column.index)) + first_ + piece.row;
  }

  template <class Code, class Item> void takeItems(const Piece &piece) {
    const uint32_t extent = piece.column.extent;
    const bool isNative = isThisMachines(piece.column.stored.type);
    if (isNative && !piece.column.numbers &&
        takeCodes<Code, Item>(piece.items, piece.stride, piece.count, extent, codesOf<Code>(piece)))
      return;
    takeOneByOne<Code>(piece, [&](const char *at) {
      char bytes[sizeof(Item)];
      std::memcpy(bytes, at, sizeof(bytes));
      if (!isNative)
        std::reverse(std::begin(bytes), std::end(bytes));
      return std::bit_cast<Item>(bytes);
    });
  }

  template <class Code> void takeHalves(const Piece &piece) {
    takeOneByOne<Code>(piece, [&](const char *at) { // each fits into a double
      return npyNumber(at, piece.column.stored.type);
    });
  }

  template <class Code> void takeBools(const Piece &piece) {
    bool areBools = true;
    for (uint32_t i = 0; i < piece.count; ++i)
      areBools &= static_cast<unsigned char>(*piece.at(i)) <= 1;
    if (areBools)
      return takeItems<Code, uint8_t>(piece);
    takeOneByOne<Code>(piece, [](const char *at) { // other bytes are no states
      const auto byte = static_cast<unsigned char>(*at);
      return byte <= 1 ? int64_t{byte} : std::numeric_limits<int64_t>::max();
    });
  }

  /// `itemAt(bytes)` returns the number at `bytes`.
  template <class Code, class ItemAt> void takeOneByOne(const Piece &piece, const ItemAt &itemAt) {
    Code *const codes = codesOf<Code>(piece);
    for (uint32_t i = 0; i < piece.count; ++i) {
      const auto item = itemAt(piece.at(i));
      const uint32_t code = piece.column.numbers ? piece.column.numbers->codeOf(item)
                                                 : codeOf(item, piece.column.extent);
      codes[i] = static_cast<Code>(code);
      if (code == kNoCode)
        addBad(piece, i);
    }
  }

  void takeNumbers(const Piece &piece) {
    const CaseCell cell = piece.column.cell;
    // npyNumber returns NaN for an integer that no double holds: it is wrong, not missing.
    const bool isWhole = piece.column.stored.type.kind != NpyKind::Float;
    double *const numbers = (cell == CaseCell::Param ? block_.params() : block_.weights()).data() +
                            piece.column.index * block_.pitch() + first_ + piece.row;
    for (uint32_t i = 0; i < piece.count; ++i) {
      const double number = npyNumber(piece.at(i), piece.column.stored.type);
      numbers[i] = std::isnan(number) ? piece.column.missing : number;
      if (std::isinf(number) || (isWhole && std::isnan(number)) ||
          (cell == CaseCell::Weight && number < 0) ||
          (cell == CaseCell::Entry && std::isnan(numbers[i])))
        addBad(piece, i);
    }
  }

  void checkWeights(const LikelihoodRows &likelihood, uint32_t row) {
    const WeightFault fault = completeWeights(block_, likelihood, first_ + row);
    if (fault != WeightFault::None)
      problems_.emplace_back(
          row, fault == WeightFault::AllZero
                   ? fmt::format("all weights of '{}' are zero", excerpt(likelihood.name))
                   : fmt::format("the likelihood of '{}' lacks some weights: "
                                 "all are numbers or all are NaN",
                                 excerpt(likelihood.name)));
  }

  void addBad(const Piece &piece, uint32_t i) {
    const Column &column = piece.column;
    const double number = npyNumber(piece.at(i), column.stored.type);
    const bool isHeld = !std::isnan(number) || column.stored.type.kind == NpyKind::Float;
    const std::string shown = isHeld ? formatDouble(number)
                              : column.stored.type.kind == NpyKind::Bool
                                  ? "a bool other than 0 and 1"
                                  : "a number that no double holds",
                      name = excerpt(column.name);
    problems_.emplace_back(
        piece.row + i,
        column.numbers && isHeld
            ? fmt::format("column {}: {}", piece.number, column.numbers->problem(number))
        : column.cell == CaseCell::State
            ? fmt::format("column {}: {} is no state of '{}', which has {}, numbered from 0",
                          piece.number, shown, name, column.extent)
        : column.cell == CaseCell::Weight
            ? fmt::format("column {}: {} is no weight of '{}': a finite number from 0",
                          piece.number, shown, name)
        : column.cell == CaseCell::Entry
            ? fmt::format("column {}: {} is no value of entry {}: a finite number{}", piece.number,
                          shown, name, std::isnan(column.missing) ? "" : ", or NaN")
            : fmt::format("column {}: {} is no value of param '{}': a finite number", piece.number,
                          shown, name));
  }

  const NpyRows &rows_;
  const char *const bytes_;
  const uint32_t count_;
  CaseBlock &block_;
  const uint32_t first_;
  uint32_t pieceRows_ = 0;
  std::vector<char> turned_; ///< byte columns of the current piece, `pieceRows_` apart
  RowProblems problems_;
};

RowProblems NpyRows::take(const char *bytes, uint32_t count, CaseBlock &block,
                          uint32_t first) const {
  return Walk(*this, bytes, count, block, first).run();
}

} // namespace mpf
