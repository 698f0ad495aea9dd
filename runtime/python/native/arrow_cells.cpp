#include "runtime/python/native/arrow_cells.h"

#include "dsl/formats/cases/npy_codes.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <cstring>
#include <vector>

namespace nb = nanobind;

namespace mpf::python {

namespace {

bool bitOf(const void *bits, int64_t place) {
  return (static_cast<const uint8_t *>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

template <class Item> Item itemOf(const ArrowArray &array, int64_t place) {
  return static_cast<const Item *>(array.buffers[1])[place];
}

/// Texts with offsets of 32 or 64 bits.
template <class Offset> std::string_view textOf(const ArrowArray &array, int64_t place) {
  const auto *const offsets = static_cast<const Offset *>(array.buffers[1]);
  return {static_cast<const char *>(array.buffers[2]) + offsets[place],
          static_cast<size_t>(offsets[place + 1] - offsets[place])};
}

/// Texts as views: a length, then 12 bytes of the text itself, or 4 of them with the buffer and the
/// place of the rest.
std::string_view viewOf(const ArrowArray &array, int64_t place) {
  constexpr int32_t kMostInline = 12;
  const char *const view = static_cast<const char *>(array.buffers[1]) + 16 * place;
  int32_t parts[4];
  std::memcpy(parts, view, sizeof(parts));
  if (parts[0] <= kMostInline)
    return {view + 4, static_cast<size_t>(parts[0])};
  return {static_cast<const char *>(array.buffers[2 + parts[2]]) + parts[3],
          static_cast<size_t>(parts[0])};
}

/// Whether the metadata have the name of an extension type, such as periods of pandas, whose
/// numbers are no states. Metadata are a count, and for each key its length, its text, the value's
/// length and text (lengths of 32 bits).
bool isExtension(const ArrowSchema &schema) {
  constexpr std::string_view kExtension = "ARROW:extension:name";
  if (schema.metadata == nullptr)
    return false;
  const char *at = schema.metadata;
  const auto number = [&at] {
    int32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    at += sizeof(value);
    return value;
  };
  for (int32_t left = number(); left > 0; --left) {
    const int32_t length = number();
    const std::string_view key(at, static_cast<size_t>(length));
    if (key == kExtension)
      return true;
    at += length;
    at += number(); // the value
  }
  return false;
}

/// Calls `visit` with a function from places of the array to values: texts, or numbers of the
/// array's type.
template <class Visit> auto withItems(const ArrowColumn &column, Visit visit) {
  if (isExtension(*column.schema))
    fail(ErrorKind::Unsupported,
         "column '{}' has an extension type of Arrow, '{}' is how it is stored",
         excerpt(column.schema->name == nullptr ? "" : column.schema->name), column.schema->format);
  const ArrowArray &array = *column.array;
  const std::string_view format = column.schema->format;
  const auto numbers = [&]<class Item>(Item) {
    return visit([&array](int64_t place) { return itemOf<Item>(array, place); });
  };
  if (format == "u")
    return visit([&array](int64_t place) { return textOf<int32_t>(array, place); });
  if (format == "U")
    return visit([&array](int64_t place) { return textOf<int64_t>(array, place); });
  if (format == "vu")
    return visit([&array](int64_t place) { return viewOf(array, place); });
  if (format == "b")
    return visit(
        [&array](int64_t place) { return static_cast<int8_t>(bitOf(array.buffers[1], place)); });
  switch (format.size() == 1 ? format[0] : '?') {
  case 'c':
    return numbers(int8_t{});
  case 'C':
    return numbers(uint8_t{});
  case 's':
    return numbers(int16_t{});
  case 'S':
    return numbers(uint16_t{});
  case 'i':
    return numbers(int32_t{});
  case 'I':
    return numbers(uint32_t{});
  case 'l':
    return numbers(int64_t{});
  case 'L':
    return numbers(uint64_t{});
  case 'f':
    return numbers(float{});
  case 'g':
    return numbers(double{});
  }
  fail(ErrorKind::Unsupported,
       "column '{}' has the Arrow type '{}': bools, integers, floats, texts and dictionaries of "
       "them are read",
       excerpt(column.schema->name == nullptr ? "" : column.schema->name), excerpt(format));
}

uint32_t codeOfItem(const StateReader &reader, std::string_view text) {
  return reader.ofText(text);
}
template <class Item> uint32_t codeOfItem(const StateReader &reader, Item number) {
  return reader.ofItem(number);
}

/// Returns the code of each entry of a dictionary.
std::vector<uint32_t> codesOf(const StateReader &reader, const ArrowColumn &dictionary) {
  return withItems(dictionary, [&](const auto &items) {
    std::vector<uint32_t> codes;
    for (int64_t i = 0; i < dictionary.array->length; ++i)
      codes.push_back(dictionary.isValid(i) ? codeOfItem(reader, items(dictionary.offset + i))
                                            : reader.variable().extent);
    return codes;
  });
}

template <class CodeAt>
int64_t setCodes(const ArrowColumn &column, int64_t first, const BlockCells &to, uint32_t none,
                 CodeAt codeAt) {
  const bool hasNulls = column.array->null_count != 0 && column.array->buffers[0] != nullptr;
  return to.setCodes([&](uint32_t i) {
    const int64_t row = first + i;
    return hasNulls && !column.isValid(row) ? none : codeAt(column.offset + row);
  });
}

ArrowColumn dictionaryOf(const ArrowColumn &column) {
  return {column.schema->dictionary, column.array->dictionary, column.array->dictionary->offset};
}

/// Converts the index of a dictionary; texts are none.
template <class Item> int64_t indexOf(Item item) { return static_cast<int64_t>(item); }
int64_t indexOf(std::string_view) { return -1; }

nb::object objectOf(std::string_view text) { // bytes that are no UTF-8 are replaced
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}
template <class Item> nb::object objectOf(Item number) { return nb::cast(number); }

} // namespace

bool ArrowColumn::isValid(int64_t row) const {
  return array->n_buffers == 0 || array->buffers[0] == nullptr ||
         bitOf(array->buffers[0], offset + row);
}

int64_t setArrowCells(const StateReader &reader, const ArrowColumn &column, int64_t first,
                      const BlockCells &to) {
  const uint32_t none = reader.variable().extent;
  if (std::string_view(column.schema->format) == "n")
    return to.setCodes([none](uint32_t) { return none; });
  if (column.schema->dictionary != nullptr) {
    const std::vector<uint32_t> codes = codesOf(reader, dictionaryOf(column));
    return withItems(column, [&](const auto &items) {
      return setCodes(column, first, to, none, [&](int64_t place) {
        const auto index = static_cast<uint64_t>(indexOf(items(place)));
        return index < codes.size() ? codes[index] : kNoCode;
      });
    });
  }
  return withItems(column, [&](const auto &items) {
    return setCodes(column, first, to, none,
                    [&](int64_t place) { return codeOfItem(reader, items(place)); });
  });
}

nb::object arrowCell(const ArrowColumn &column, int64_t row) {
  if (!column.isValid(row))
    return nb::none();
  return withItems(column, [&](const auto &items) -> nb::object {
    if (column.schema->dictionary == nullptr)
      return objectOf(items(column.offset + row));
    const int64_t index = indexOf(items(column.offset + row));
    const bool isThere = index >= 0 && index < column.array->dictionary->length;
    return isThere ? arrowCell(dictionaryOf(column), index) : nb::none();
  });
}

} // namespace mpf::python
