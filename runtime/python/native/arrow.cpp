#include "runtime/python/native/arrow.h"

#include "dsl/support/check.h"
#include "runtime/python/native/arrow_cells.h"
#include "runtime/python/native/block.h"
#include "runtime/python/native/without_gil.h"

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

/// A struct of the interface, which is released at the end.
template <class Struct> struct Owned : Struct {
  Owned() : Struct{} {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (this->release != nullptr)
      this->release(this);
  }
};

using OwnedSchema = std::shared_ptr<Owned<ArrowSchema>>;

/// Moves a struct out of its capsule, which then releases nothing.
template <class Struct>
std::shared_ptr<Owned<Struct>> moved(const nb::capsule &capsule, const char *name) {
  auto *const given = static_cast<Struct *>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (given == nullptr)
    throw nb::python_error();
  if (given->release == nullptr)
    fail(ErrorKind::Usage, "Arrow data were read before");
  auto owned = std::make_shared<Owned<Struct>>();
  static_cast<Struct &>(*owned) = *given;
  given->release = nullptr;
  return owned;
}

/// Rows of a stream, with their types.
class ArrowBatch {
public:
  ArrowBatch(OwnedSchema schema, std::shared_ptr<Owned<ArrowArray>> array)
      : schema_(std::move(schema)), array_(std::move(array)) {}

  /// Takes an array with its type, as `__arrow_c_array__` gives them.
  ArrowBatch(const nb::capsule &schema, const nb::capsule &array)
      : schema_(moved<ArrowSchema>(schema, "arrow_schema")),
        array_(moved<ArrowArray>(array, "arrow_array")) {}

  int64_t rows() const { return array_->length; }

  int64_t fill(int64_t child, const StateReader &reader, Block &block, size_t column, int64_t first,
               uint32_t at, uint32_t count) const {
    if (first < 0 || first + count > rows())
      fail(ErrorKind::Usage, "rows {} to {} of an Arrow batch of {}", first, first + count, rows());
    block.requireCells(column, at, count, reader.variable().extent);
    return setArrowCells(reader, this->column(child), first, {block.cases(), column, at, count});
  }

  nb::object cell(int64_t child, int64_t row) const { return arrowCell(column(child), row); }

private:
  /// A child of a struct; -1: the array itself. The offset of a struct counts in its children too.
  ArrowColumn column(int64_t child) const {
    if (child < 0)
      return {schema_.get(), array_.get(), array_->offset};
    if (child >= array_->n_children)
      fail(ErrorKind::BadInput, "an Arrow batch has {} columns, its schema more",
           array_->n_children);
    return {schema_->children[child], array_->children[child],
            array_->children[child]->offset + array_->offset};
  }

  OwnedSchema schema_;
  std::shared_ptr<Owned<ArrowArray>> array_;
};

class ArrowStream {
public:
  explicit ArrowStream(const nb::capsule &capsule)
      : stream_(moved<ArrowArrayStream>(capsule, "arrow_array_stream")) {
    check(stream_->get_schema(stream_.get(), schema_.get()));
  }

  std::optional<ArrowBatch> next() {
    const auto array = std::make_shared<Owned<ArrowArray>>();
    check(stream_->get_next(stream_.get(), array.get()));
    if (array->release == nullptr)
      return std::nullopt;
    return ArrowBatch(schema_, array);
  }

  /// The names of the columns; nothing: the stream is one column.
  std::optional<std::vector<std::string>> names() const {
    if (std::string_view(schema_->format) != "+s")
      return std::nullopt;
    std::vector<std::string> names;
    for (int64_t i = 0; i < schema_->n_children; ++i)
      names.emplace_back(schema_->children[i]->name == nullptr ? "" : schema_->children[i]->name);
    return names;
  }

private:
  void check(int code) {
    if (code == 0)
      return;
    const char *const why = stream_->get_last_error(stream_.get());
    fail(ErrorKind::BadInput, "an Arrow stream failed: {}",
         why == nullptr ? "no reason is given" : why);
  }

  std::shared_ptr<Owned<ArrowArrayStream>> stream_;
  OwnedSchema schema_ = std::make_shared<Owned<ArrowSchema>>();
};

} // namespace

void defineArrow(nb::module_ &module) {
  nb::class_<ArrowBatch>(module, "ArrowBatch")
      .def(nb::init<const nb::capsule &, const nb::capsule &>())
      .def_prop_ro("rows", &ArrowBatch::rows)
      .def("cell", &ArrowBatch::cell)
      .def("fill", &ArrowBatch::fill, nb::call_guard<WithoutGil>(),
           "Sets the codes of a column; returns the first case of a wrong cell, or -1");
  nb::class_<ArrowStream>(module, "ArrowStream")
      .def(nb::init<const nb::capsule &>())
      .def("names", &ArrowStream::names)
      .def("next", &ArrowStream::next);
}

} // namespace mpf::python
