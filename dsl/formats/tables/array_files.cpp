#include "dsl/formats/tables/array_files.h"

#include "dsl/formats/tables/array_container.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"

#include <unordered_map>

namespace mpf {

namespace {

/// Returns the array in the shape that the request wants. A text has rows and columns only.
std::shared_ptr<const ArrayFile> shaped(const ArrayFile &array, const ArrayRequest &request) {
  auto made = std::make_shared<ArrayFile>(array);
  const bool isRow =
      !array.isRagged && array.shape.size() == 2 && (array.shape[0] <= 1 || array.shape[1] <= 1);
  const bool isList = request.axes ? *request.axes == 1 && isRow : isRow || array.isRagged;
  if (request.axes == 0u && array.values->size() == 1)
    made->shape.clear();
  if (!isList)
    return made;
  made->shape = {array.values->size()};
  made->rowEnds.clear();
  made->isRagged = false;
  return made;
}

class ArrayFiles final : public ArraySource {
public:
  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    const StoredArray *stored = nullptr;
    reading(request, diagnostics, place, [&](ArrayContainer &file) {
      stored = file.numbers(request, diagnostics, place);
      if (stored && !isWanted(*stored, request, diagnostics, place))
        stored = nullptr;
    });
    return stored ? shaped(stored->array, request) : nullptr;
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    std::optional<WordFile> words;
    reading(request, diagnostics, place,
            [&](ArrayContainer &file) { words = file.words(request, diagnostics, place); });
    if (!words || words->words.size() <= request.maxEntries)
      return words;
    diagnostics.error(place, "{} has {} entries, at most {} are wanted here", request.path,
                      words->words.size(), request.maxEntries);
    return std::nullopt;
  }

private:
  /// Calls read(container of the file), and adds a note to errors inside its text.
  template <class Read>
  void reading(const ArrayRequest &request, Diagnostics &diagnostics, const SourcePlace &place,
               const Read &read) {
    const size_t before = diagnostics.errorCount();
    try {
      std::unique_ptr<ArrayContainer> &file = files_[request.path];
      if (file == nullptr)
        file = openArrayContainer(request.path);
      read(*file);
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::BadInput)
        throw;
      diagnostics.error(place, "{}", error.what());
      return;
    }
    const bool isInside = diagnostics.errorCount() != before && !diagnostics.all().empty() &&
                          diagnostics.all().back().place.buffer != place.buffer;
    if (isInside && place.buffer)
      diagnostics.note(place, "the file is read here");
  }

  static bool isWanted(const StoredArray &stored, const ArrayRequest &request,
                       Diagnostics &diagnostics, const SourcePlace &place) {
    const uint64_t count = stored.array.values->size();
    if (count > request.maxEntries) {
      diagnostics.error(place, "{} has {} numbers, at most {} are wanted here", request.path, count,
                        request.maxEntries);
      return false;
    }
    const bool hasRows = stored.array.isRagged && request.axes.value_or(0) > 1;
    const std::optional<DoubtfulNumber> &doubt = !request.mayMiss && stored.missing ? stored.missing
                                                 : hasRows && stored.emptyLine ? stored.emptyLine
                                                 : request.onlyDoubles         ? stored.far
                                                                               : std::nullopt;
    if (!doubt)
      return true;
    if (doubt->place.buffer)
      diagnostics.error(doubt->place, "{}", doubt->message);
    else
      diagnostics.error(place, "{}: {}", request.path, doubt->message);
    return false;
  }

  std::unordered_map<std::string, std::unique_ptr<ArrayContainer>> files_; ///< by path
};

} // namespace

std::unique_ptr<ArraySource> openArrayFiles() { return std::make_unique<ArrayFiles>(); }

} // namespace mpf
