#include "tools/mpf-bench/bucket_shapes.h"

#include "dsl/support/error.h"

#include <algorithm>

namespace mpf::bench {

std::vector<std::string> BucketShape::operandLetters() const {
  std::vector<std::string> operands(1);
  for (const char c : expression.substr(0, expression.find("->")))
    if (c == ',')
      operands.emplace_back();
    else
      operands.back() += c;
  return operands;
}

std::string BucketShape::resultLetters() const {
  const size_t arrow = expression.find("->");
  return arrow == std::string::npos ? "" : expression.substr(arrow + 2);
}

std::vector<BucketShape> canonicalShapes(uint64_t scale) {
  // Divides the outermost extents, never the summation ones: the inner loops stay what they are.
  const auto big = [scale](uint64_t extent) { return std::max<uint64_t>(extent / scale, 2); };
  return {
      {"pair", "xk,yk->xy", {{'x', big(4096)}, {'y', 4096}, {'k', 64}}},
      {"pair-deep", "xk,yk->xy", {{'x', big(4096)}, {'y', 4096}, {'k', 512}}},
      {"pair-permuted", "kx,ky->xy", {{'x', big(4096)}, {'y', 4096}, {'k', 64}}},
      {"pair-batched", "bxk,byk->bxy", {{'b', big(256)}, {'x', 256}, {'y', 256}, {'k', 64}}},
      {"triangle", "xyk,yzk,xzk->xyz", {{'x', big(256)}, {'y', 256}, {'z', 256}, {'k', 64}}},
      {"star", "ak,bk,ck,dk->abcd", {{'a', big(64)}, {'b', 64}, {'c', 64}, {'d', 64}, {'k', 32}}},
      {"stream-last", "xk->x", {{'x', big(1ull << 29)}, {'k', 2}}},
      {"stream-middle", "xky->xy", {{'x', big(1ull << 19)}, {'y', 1024}, {'k', 2}}},
      {"stream-small-factor", "xky,yk->xy", {{'x', big(1ull << 21)}, {'y', 256}, {'k', 2}}},
  };
}

DigitForm digitFormOf(const BucketShape &shape) {
  DigitForm form;
  const std::string kept = shape.resultLetters();
  const auto extentOf = [&shape](char letter) {
    for (const auto &[known, extent] : shape.extents)
      if (known == letter)
        return extent;
    fail(ErrorKind::Usage, "shape {}: digit '{}' of {} has no extent", shape.name, letter,
         shape.expression);
  };
  const auto access = [&](const std::string &letters, size_t table) {
    DigitAccess result;
    result.table = TableId(table);
    result.stridesElems.assign(shape.extents.size(), 0);
    result.sizeElems = 1;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
      for (size_t d = 0; d < shape.extents.size(); ++d)
        if (shape.extents[d].first == *letter)
          result.stridesElems[d] = result.sizeElems;
      result.sizeElems *= extentOf(*letter);
    }
    return result;
  };
  for (size_t d = 0; d < shape.extents.size(); ++d) {
    const auto [letter, extent] = shape.extents[d];
    const bool reduced = kept.find(letter) == std::string::npos;
    if (!reduced && !form.digits.empty() && form.digits.back().reduced)
      fail(ErrorKind::Usage, "shape {}: kept digit '{}' stands after a reduced one", shape.name,
           letter);
    form.digits.push_back({extent, reduced, {VarId(d)}});
  }
  const std::vector<std::string> operands = shape.operandLetters();
  for (size_t i = 0; i < operands.size(); ++i)
    form.operands.push_back(access(operands[i], i));
  form.result = access(kept, operands.size());
  return form;
}

double flopsOf(const DigitForm &form) {
  return static_cast<double>(form.operands.size()) * static_cast<double>(form.keptAddresses()) *
         static_cast<double>(form.reducedAddresses());
}

double compulsoryBytes(const DigitForm &form, ElementType type) {
  double elems = static_cast<double>(form.result.sizeElems);
  for (const DigitAccess &operand : form.operands)
    elems += static_cast<double>(operand.sizeElems);
  return elems * elementBytes(type);
}

} // namespace mpf::bench
