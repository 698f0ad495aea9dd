#include "dsl/formats/cases/npy_rows.h"

#include "dsl/formats/tables/npy_number.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace mpf {

namespace {

constexpr uint32_t kNoCode = UINT32_MAX;

/// Without a branch, whatever the compiler thinks of it: which rows observe a variable is chance.
uint32_t choose(bool condition, uint32_t yes, uint32_t no) {
  return no ^ ((yes ^ no) & (0U - static_cast<uint32_t>(condition)));
}

/// The code of a state as it is stored; kNoCode: it is none.
template <class Item> uint32_t codeOf(Item item, uint32_t extent) {
  if constexpr (std::is_floating_point_v<Item>) {
    const bool isState = item >= 0 && item < static_cast<Item>(extent);
    const auto state = static_cast<uint32_t>(isState ? item : Item{0});
    const bool isNone = std::isnan(item) || item < 0;
    return isNone ? extent : isState && static_cast<Item>(state) == item ? state : kNoCode;
  } else {
    using Unsigned = std::make_unsigned_t<Item>;
    const auto state = static_cast<Unsigned>(item);
    const bool isState = (!std::is_signed_v<Item> || item >= 0) && state < extent;
    const bool isNone =
        std::is_signed_v<Item> ? item < 0 : state == std::numeric_limits<Unsigned>::max();
    return choose(isState, static_cast<uint32_t>(state), choose(isNone, extent, kNoCode));
  }
}

bool isThisMachines(const NpyType &type) { return !type.bigEndian || type.bytes == 1; }

} // namespace

NpyRows::NpyRows(const CaseHeader &header, std::vector<NpyColumn> columns, uint64_t rowBytes,
                 const Model &model)
    : schema_(header.schema), rowBytes_(rowBytes),
      likelihoods_(likelihoodRows(header.schema, model)) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const CaseColumn &column = header.columns[i];
    const bool isParam = column.cell == CaseCell::Param;
    columns_.push_back(
        {column.cell, column.index, isParam ? 0 : model.variable(column.variable).extent,
         isParam ? schema_.params[column.index] : model.variable(column.variable).name,
         columns[i]});
  }
}

/// One walk over a chunk.
class NpyRows::Walk {
public:
  Walk(const NpyRows &rows, CaseChunk &chunk, uint32_t count)
      : rows_(rows), chunk_(chunk), block_(chunk.block), count_(count) {
    makeRoomForRows(block_, rows.schema_, count);
    chunk_.bad.clear();
    chunk_.lines = 0;
  }

  void run(OnBadRow onBadRow) {
    // Rows are taken in pieces that stay in a CPU's cache for all columns.
    constexpr uint64_t kPieceBytes = 16 << 10;
    const uint64_t width = std::max<uint64_t>(rows_.rowBytes_, 1);
    const auto piece = static_cast<uint32_t>(
        rows_.rowBytes_ == 0 ? count_ : std::clamp<uint64_t>(kPieceBytes / width, 1, count_));
    for (uint32_t first = 0; first < count_; first += piece)
      for (size_t c = 0; c < rows_.columns_.size(); ++c)
        takeColumn(c, first, std::min(count_, first + piece));
    for (uint32_t row = 0; row < count_; ++row)
      for (const LikelihoodRows &likelihood : rows_.likelihoods_)
        checkWeights(likelihood, row);
    finish(onBadRow);
  }

private:
  struct Place {
    const char *first; ///< the number in row 0
    uint64_t stride;
  };

  Place placeOf(const Column &column) const {
    const char *const bytes = chunk_.bytes.data();
    if (rows_.rowBytes_ != 0)
      return {bytes + column.stored.offset, rows_.rowBytes_};
    return {bytes + column.stored.offset * count_ * column.stored.type.bytes,
            column.stored.type.bytes};
  }

  void takeColumn(size_t c, uint32_t first, uint32_t end) {
    const Column &column = rows_.columns_[c];
    if (column.cell != CaseCell::State)
      return takeNumbers(c, first, end);
    switch (block_.codeBytes()) {
    case 1:
      return takeStates<uint8_t>(c, first, end);
    case 2:
      return takeStates<uint16_t>(c, first, end);
    default:
      return takeStates<uint32_t>(c, first, end);
    }
  }

  template <class Code> void takeStates(size_t c, uint32_t first, uint32_t end) {
    const NpyType &type = rows_.columns_[c].stored.type;
    if (type.kind == NpyKind::Float && type.bytes >= 4 && isThisMachines(type))
      return type.bytes == 8 ? takeItems<Code, double>(c, first, end)
                             : takeItems<Code, float>(c, first, end);
    if (type.kind == NpyKind::Float || !isThisMachines(type))
      return takeForeign<Code>(c, first, end);
    const bool isSigned = type.kind == NpyKind::Signed;
    switch (type.bytes) {
    case 1:
      return isSigned ? takeItems<Code, int8_t>(c, first, end)
                      : takeItems<Code, uint8_t>(c, first, end);
    case 2:
      return isSigned ? takeItems<Code, int16_t>(c, first, end)
                      : takeItems<Code, uint16_t>(c, first, end);
    case 4:
      return isSigned ? takeItems<Code, int32_t>(c, first, end)
                      : takeItems<Code, uint32_t>(c, first, end);
    default:
      return isSigned ? takeItems<Code, int64_t>(c, first, end)
                      : takeItems<Code, uint64_t>(c, first, end);
    }
  }

  template <class Code, class Item> void takeItems(size_t c, uint32_t first, uint32_t end) {
    const Column &column = rows_.columns_[c];
    const auto [bytes, stride] = placeOf(column);
    auto *const codes = reinterpret_cast<Code *>(block_.column(column.index));
    const uint32_t extent = column.extent;
    const auto codeAt = [=](uint32_t row) {
      Item item;
      std::memcpy(&item, bytes + row * stride, sizeof(item));
      return codeOf(item, extent);
    };
    uint32_t greatest = 0;
    for (uint32_t row = first; row < end; ++row) {
      const uint32_t code = codeAt(row);
      codes[row] = static_cast<Code>(code);
      greatest = std::max(greatest, code);
    }
    for (uint32_t row = first; greatest == kNoCode && row < end; ++row)
      if (codeAt(row) == kNoCode)
        addBad(row, c);
  }

  /// Of another byte order, and halves.
  template <class Code> void takeForeign(size_t c, uint32_t first, uint32_t end) {
    const Column &column = rows_.columns_[c];
    const auto [bytes, stride] = placeOf(column);
    auto *const codes = reinterpret_cast<Code *>(block_.column(column.index));
    const NpyType &type = column.stored.type;
    const double largest =
        type.kind == NpyKind::Unsigned ? std::exp2(8 * type.bytes) - 1 : HUGE_VAL;
    for (uint32_t row = first; row < end; ++row) {
      const double item = npyNumber(bytes + row * stride, type);
      const bool isNone = item == largest && largest >= column.extent;
      const bool isInexact = std::isnan(item) && type.kind != NpyKind::Float;
      const uint32_t code = isNone      ? column.extent
                            : isInexact ? kNoCode
                                        : codeOf(item, column.extent);
      codes[row] = static_cast<Code>(code);
      if (code == kNoCode)
        addBad(row, c);
    }
  }

  void takeNumbers(size_t c, uint32_t first, uint32_t end) {
    const Column &column = rows_.columns_[c];
    const auto [bytes, stride] = placeOf(column);
    const bool isWeight = column.cell == CaseCell::Weight;
    double *const numbers =
        (isWeight ? block_.weights() : block_.params()).data() + column.index * block_.pitch();
    for (uint32_t row = first; row < end; ++row) {
      const double number = npyNumber(bytes + row * stride, column.stored.type);
      numbers[row] = number;
      if (std::isinf(number) || (isWeight && number < 0))
        addBad(row, c);
    }
  }

  void checkWeights(const LikelihoodRows &likelihood, uint32_t row) {
    const WeightFault fault = completeWeights(block_, likelihood, row);
    if (fault != WeightFault::None)
      addProblem(row, fault == WeightFault::AllZero
                          ? fmt::format("all weights of '{}' are zero", excerpt(likelihood.name))
                          : fmt::format("the likelihood of '{}' lacks some weights: all are "
                                        "numbers or all are NaN",
                                        excerpt(likelihood.name)));
  }

  void addBad(uint32_t row, size_t c) {
    const Column &column = rows_.columns_[c];
    const auto [bytes, stride] = placeOf(column);
    const std::string shown = formatDouble(npyNumber(bytes + row * stride, column.stored.type)),
                      name = excerpt(column.name);
    addProblem(row,
               column.cell == CaseCell::State
                   ? fmt::format("column {}: {} is no state of '{}', which has {}, numbered from 0",
                                 c, shown, name, column.extent)
               : column.cell == CaseCell::Weight
                   ? fmt::format("column {}: {} is no weight of '{}': a finite number from 0", c,
                                 shown, name)
                   : fmt::format("column {}: {} is no value of param '{}': a finite number", c,
                                 shown, name));
  }

  void addProblem(uint32_t row, std::string message) {
    problems_.emplace_back(row, std::move(message));
  }

  void finish(OnBadRow onBadRow) {
    block_.count = count_;
    std::ranges::stable_sort(problems_, {}, &std::pair<uint32_t, std::string>::first);
    for (auto &[row, message] : problems_) {
      if (!block_.skipped.empty() && block_.skipped.back() == row)
        continue; // one problem of a row is enough
      if (chunk_.bad.size() < BadRows::kMostMessages)
        chunk_.bad.push_back(
            {0, {}, {}, fmt::format("row {}: {}", chunk_.firstRow + row, message)});
      if (onBadRow == OnBadRow::Stop) {
        block_.count = row;
        return;
      }
      clearCase(block_, rows_.schema_, row);
      block_.skipped.push_back(row);
    }
  }

  const NpyRows &rows_;
  CaseChunk &chunk_;
  CaseBlock &block_;
  const uint32_t count_;
  std::vector<std::pair<uint32_t, std::string>> problems_; ///< by row
};

void NpyRows::parse(CaseChunk &chunk, uint32_t rows, OnBadRow onBadRow) const {
  Walk(*this, chunk, rows).run(onBadRow);
}

} // namespace mpf
