#include "dsl/formats/tables/array_container.h"

#include "dsl/formats/tables/alist_file.h"
#include "dsl/formats/tables/array_text.h"
#include "dsl/formats/tables/choose_member.h"
#include "dsl/formats/tables/csv_columns.h"
#include "dsl/formats/tables/json_arrays.h"
#include "dsl/formats/tables/npy_file.h"
#include "dsl/formats/tables/text_table.h"
#include "dsl/formats/tables/zip_archive.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/input_stream.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace mpf {

namespace {

/// Larger texts are not kept for words when their numbers were read.
constexpr size_t kKeptTextBytes = size_t{16} << 20;

/// The contents of a text. It is read at the first use, also if that fails: a text with errors is
/// reported once, however often the file is named.
template <class Contents> class ReadOnce {
public:
  /// `read` returns an optional. Returns null where it found none.
  template <class Read> const Contents *get(const Read &read) {
    if (!isRead_) {
      isRead_ = true;
      contents_ = read();
    }
    return contents_ ? &*contents_ : nullptr;
  }

private:
  bool isRead_ = false;
  std::optional<Contents> contents_;
};

/// The arrays that were read so far, by name.
using StoredArrays = std::map<std::string, StoredArray>;

const StoredArray *findRead(const StoredArrays &arrays, const std::string &name) {
  const auto found = arrays.find(name);
  return found == arrays.end() ? nullptr : &found->second;
}

/// Numbers as words: of files that have no text.
WordFile wordsOf(const StoredArray &stored) {
  WordFile file;
  for (const double value : *stored.array.values)
    file.words.push_back({std::isnan(value) ? "" : formatDouble(value)});
  file.shape = stored.array.shape;
  file.isRagged = stored.array.isRagged;
  return file;
}

class NpyContainer : public ArrayContainer {
public:
  const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                             const SourcePlace &place) override {
    const std::optional<std::string> name = choose(request, diagnostics, place);
    if (!name)
      return nullptr;
    if (const StoredArray *read = findRead(arrays_, *name))
      return read;
    const ByteInput input = open(*name);
    std::string problem;
    std::optional<StoredArray> read = readNpy(input, request.maxEntries, problem);
    if (!read) {
      diagnostics.error(place, "{}: {}", input.name, problem);
      return nullptr;
    }
    return &(arrays_[*name] = std::move(*read));
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    const StoredArray *read = numbers(request, diagnostics, place);
    return read ? std::optional(wordsOf(*read)) : std::nullopt;
  }

protected:
  /// Returns the name of the wanted array; nothing after reporting.
  virtual std::optional<std::string> choose(const ArrayRequest &request, Diagnostics &diagnostics,
                                            const SourcePlace &place) = 0;
  virtual ByteInput open(const std::string &name) = 0;

private:
  StoredArrays arrays_;
};

class NpyFile final : public NpyContainer {
public:
  explicit NpyFile(std::string path) : path_(std::move(path)) {}

private:
  std::optional<std::string> choose(const ArrayRequest &request, Diagnostics &diagnostics,
                                    const SourcePlace &place) override {
    return checkNoMember(request, diagnostics, place) ? std::optional<std::string>("")
                                                      : std::nullopt;
  }
  ByteInput open(const std::string &) override {
    auto stream = std::make_shared<InputStream>(path_);
    const uint64_t bytes = stream->sizeBytes();
    return {path_, [stream](char *into, size_t size) { return stream->read(into, size); },
            bytes == 0 ? std::nullopt : std::optional(bytes)};
  }

  std::string path_;
};

class NpzFile final : public NpyContainer {
public:
  explicit NpzFile(const std::string &path) : archive_(path) {
    for (const ZipMember &member : archive_.members())
      names_.push_back(member.name.ends_with(kEnding)
                           ? member.name.substr(0, member.name.size() - kEnding.size())
                           : member.name);
  }

private:
  static constexpr std::string_view kEnding = ".npy";

  std::optional<std::string> choose(const ArrayRequest &request, Diagnostics &diagnostics,
                                    const SourcePlace &place) override {
    const auto chosen = chooseMember(request, names_, MemberKind::Arrays, diagnostics, place);
    if (!chosen)
      return std::nullopt;
    if (names_[*chosen].find_first_of("/\\") != std::string::npos) {
      diagnostics.error(place, "{}: '{}' is a path, arrays in an archive have plain names",
                        request.path, excerpt(names_[*chosen]));
      return std::nullopt;
    }
    return names_[*chosen];
  }
  ByteInput open(const std::string &name) override {
    const auto place = std::ranges::find(names_, name) - names_.begin();
    return archive_.open(archive_.members()[static_cast<size_t>(place)]);
  }

  ZipArchive archive_;
  std::vector<std::string> names_; ///< of the members, without the ending
};

class TextFile final : public ArrayContainer {
public:
  TextFile(const std::string &path, bool hasCommas) : text_(path), hasCommas_(hasCommas) {}

  const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                             const SourcePlace &place) override {
    if (!checkNoMember(request, diagnostics, place))
      return nullptr;
    return stored_.get([&] {
      auto read = readTextTable(text_.get(), hasCommas_, request.maxEntries, diagnostics);
      text_.release(kKeptTextBytes);
      return read;
    });
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    if (!checkNoMember(request, diagnostics, place))
      return std::nullopt;
    return readTextWords(text_.get(), request.maxEntries, diagnostics);
  }

private:
  ArrayText text_;
  bool hasCommas_;
  ReadOnce<StoredArray> stored_;
};

class CsvFile final : public ArrayContainer {
public:
  explicit CsvFile(const std::string &path) : text_(path), rows_(path, true) {}

  const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                             const SourcePlace &place) override {
    const CsvColumns *const columns = open(diagnostics);
    if (columns == nullptr)
      return nullptr;
    if (columns->header().empty())
      return hasOneReading(*columns, request, diagnostics)
                 ? rows_.numbers(request, diagnostics, place)
                 : nullptr;
    const auto chosen = choose(*columns, request, diagnostics, place);
    if (!chosen)
      return nullptr;
    const bool isTable = coversLabels(*columns, request);
    const std::string key = fmt::format("{} {}", isTable, fmt::join(*chosen, " "));
    return arrays_[key].get([&] {
      auto read = columns->numbers(*chosen, request.maxEntries, diagnostics);
      if (read && !isTable)
        read->array.shape.pop_back();
      return read;
    });
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    const CsvColumns *const columns = open(diagnostics);
    if (columns == nullptr)
      return std::nullopt;
    size_t wanted = SIZE_MAX;
    if (columns->header().empty() ? !checkNoMember(request, diagnostics, place)
                                  : !chooseOne(*columns, request, diagnostics, place, wanted))
      return std::nullopt;
    WordFile file{columns->text(), {}};
    const bool isRead =
        columns->forEachCell(diagnostics, [&](size_t column, const CsvTableCell &cell) {
          if (wanted == SIZE_MAX || column == wanted)
            file.words.push_back({std::string(cell.text), cell.range});
        });
    if (!isRead)
      return std::nullopt;
    setLines(file);
    return file;
  }

private:
  const CsvColumns *open(Diagnostics &diagnostics) {
    return columns_.get([&] {
      std::optional<CsvColumns> columns(text_.get());
      if (!columns->readHeader(diagnostics))
        columns.reset();
      return columns;
    });
  }
  /// Returns false after reporting a first row of numbers that are the labels of the last axis.
  static bool hasOneReading(const CsvColumns &columns, const ArrayRequest &request,
                            Diagnostics &diagnostics) {
    const std::vector<std::string> &first = columns.firstNumbers();
    if (!request.member.empty() || first.empty() ||
        !std::ranges::is_permutation(first, request.labels))
      return true;
    std::string header;
    for (const std::string &label : first)
      header += fmt::format("{}\"{}\"", header.empty() ? "" : ",", label);
    diagnostics.report(
        {Severity::Error, columns.firstPlace(),
         fmt::format("this row is a header with the labels of '{}', or a row of numbers",
                     excerpt(request.name)),
         fmt::format("{} is the header; a row of numbers needs that header above it",
                     excerpt(header, 80))});
    return false;
  }
  /// Whether the header has exactly the labels of the last axis.
  static bool coversLabels(const CsvColumns &columns, const ArrayRequest &request) {
    return request.member.empty() && std::ranges::is_permutation(columns.header(), request.labels);
  }
  static bool chooseOne(const CsvColumns &columns, const ArrayRequest &request,
                        Diagnostics &diagnostics, const SourcePlace &place, size_t &chosen) {
    const auto found =
        chooseMember(request, columns.header(), MemberKind::Columns, diagnostics, place);
    chosen = found.value_or(SIZE_MAX);
    return found.has_value();
  }
  static std::optional<std::vector<size_t>> choose(const CsvColumns &columns,
                                                   const ArrayRequest &request,
                                                   Diagnostics &diagnostics,
                                                   const SourcePlace &place) {
    const std::vector<std::string> &header = columns.header();
    if (coversLabels(columns, request)) {
      std::vector<size_t> places;
      for (const std::string &label : request.labels)
        places.push_back(static_cast<size_t>(std::ranges::find(header, label) - header.begin()));
      return places;
    }
    size_t chosen = 0;
    if (!chooseOne(columns, request, diagnostics, place, chosen))
      return std::nullopt;
    return std::vector{chosen};
  }

  ArrayText text_;
  TextFile rows_; ///< of a file without a header
  ReadOnce<CsvColumns> columns_;
  std::map<std::string, ReadOnce<StoredArray>> arrays_; ///< by the places of their columns
};

class JsonFile final : public ArrayContainer {
public:
  explicit JsonFile(const std::string &path) : text_(path) {}

  const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                             const SourcePlace &place) override {
    const JsonArray *const array =
        find(JsonContents::Numbers, numbers_, request, diagnostics, place);
    if (array && array->hasWords) {
      diagnostics.error({text_.get(), array->range}, "strings stand here, numbers are needed");
      return nullptr;
    }
    return array ? &array->stored : nullptr;
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    const JsonArray *const array = find(JsonContents::Words, words_, request, diagnostics, place);
    if (array == nullptr)
      return std::nullopt;
    const ArrayFile &read = array->stored.array;
    return WordFile{text_.get(), array->words, read.shape, read.isRagged};
  }

private:
  using Arrays = std::vector<JsonArray>;

  const JsonArray *find(JsonContents contents, ReadOnce<Arrays> &read, const ArrayRequest &request,
                        Diagnostics &diagnostics, const SourcePlace &place) {
    const Arrays *const arrays =
        read.get([&] { return readJsonArrays(text_.get(), contents, diagnostics); });
    if (arrays == nullptr)
      return nullptr;
    if (arrays->size() == 1 && arrays->front().name.empty())
      return checkNoMember(request, diagnostics, place) ? &arrays->front() : nullptr;
    std::vector<std::string> names;
    for (const JsonArray &array : *arrays)
      names.push_back(array.name);
    const auto chosen = chooseMember(request, names, MemberKind::Arrays, diagnostics, place);
    return chosen ? &(*arrays)[*chosen] : nullptr;
  }

  ArrayText text_;
  ReadOnce<Arrays> numbers_, words_;
};

class AlistFile final : public ArrayContainer {
public:
  explicit AlistFile(const std::string &path) : text_(path) {}

  const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                             const SourcePlace &place) override {
    const std::vector<NamedArray> *const arrays =
        arrays_.get([&] { return readAlist(text_.get(), diagnostics); });
    if (arrays == nullptr)
      return nullptr;
    std::vector<std::string> names;
    for (const NamedArray &array : *arrays)
      names.push_back(array.name);
    const auto chosen = chooseMember(request, names, MemberKind::Arrays, diagnostics, place);
    return chosen ? &(*arrays)[*chosen].stored : nullptr;
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    const StoredArray *read = numbers(request, diagnostics, place);
    return read ? std::optional(wordsOf(*read)) : std::nullopt;
  }

private:
  ArrayText text_;
  ReadOnce<std::vector<NamedArray>> arrays_;
};

} // namespace

std::unique_ptr<ArrayContainer> openArrayContainer(const std::string &path) {
  const std::string name = lowerCase(withoutCompressionSuffix(path));
  if (name.ends_with(".npy"))
    return std::make_unique<NpyFile>(path);
  if (name.ends_with(".npz"))
    return std::make_unique<NpzFile>(path);
  if (name.ends_with(".json"))
    return std::make_unique<JsonFile>(path);
  if (name.ends_with(".csv"))
    return std::make_unique<CsvFile>(path);
  if (name.ends_with(".alist"))
    return std::make_unique<AlistFile>(path);
  return std::make_unique<TextFile>(path, false);
}

} // namespace mpf
