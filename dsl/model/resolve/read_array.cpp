#include "dsl/model/resolve/read_array.h"

namespace mpf {

namespace {

/// Completes the request; returns the source of arrays, null after reporting that there is none.
ArraySource *prepare(BuildContext &context, const ast::FileValue &file, ArrayRequest &request) {
  request.path = resolvePath(context, file.path.text);
  request.member = file.member ? file.member->text : "";
  if (context.arrays == nullptr && context.options.files.openArrays)
    context.arrays = context.options.files.openArrays();
  if (context.arrays == nullptr)
    context.error(file.path.range, "files of arrays cannot be read here");
  return context.arrays.get();
}

} // namespace

std::shared_ptr<const ArrayFile> readArray(BuildContext &context, const ast::FileValue &file,
                                           ArrayRequest request) {
  ArraySource *const source = prepare(context, file, request);
  request.maxEntries = context.options.limits.maxTableElems;
  return source ? source->numbers(request, context.diagnostics, context.at(file.path.range))
                : nullptr;
}

std::optional<WordFile> readWords(BuildContext &context, const ast::FileValue &file,
                                  ArrayRequest request) {
  ArraySource *const source = prepare(context, file, request);
  return source ? source->words(request, context.diagnostics, context.at(file.path.range))
                : std::nullopt;
}

} // namespace mpf
