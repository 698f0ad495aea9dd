#include "dsl/formats/tables/zip_member_stream.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>
#include <zlib.h>

namespace mpf {

namespace {

constexpr uint16_t kStored = 0, kDeflated = 8;
constexpr size_t kPieceBytes = size_t{1} << 18;

} // namespace

struct ZipMemberStream::Inflater {
  Inflater() : packed(kPieceBytes) {
    // Negative: data without a header of zlib or gzip.
    if (const int status = inflateInit2(&stream, -MAX_WBITS); status == Z_MEM_ERROR)
      throw std::bad_alloc();
    else if (status != Z_OK)
      fail(ErrorKind::Internal, "zlib cannot start");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;

  z_stream stream{};
  std::vector<char> packed;
  bool ended = false;
};

ZipMemberStream::ZipMemberStream(const RawInput &file, const ZipMember &member, uint64_t begin,
                                 std::string name)
    : file_(file), member_(member), name_(std::move(name)), at_(begin),
      packedLeft_(member.packedBytes), left_(member.bytes) {
  if (member.method != kStored && member.method != kDeflated)
    fail(ErrorKind::BadInput,
         "{} is packed by method {}, mpf reads stored (0) and deflated (8) members", name_,
         member.method);
  if (member.method == kStored && member.packedBytes != member.bytes)
    broken("it is stored, and its two sizes differ");
  checkUnpackedBytes(name_, member.packedBytes, member.bytes);
  if (member.method == kDeflated)
    inflater_ = std::make_unique<Inflater>();
}

ZipMemberStream::~ZipMemberStream() = default;

void ZipMemberStream::broken(const char *what) const {
  fail(ErrorKind::BadInput, "{} is broken: {}", name_, what);
}

size_t ZipMemberStream::readStored(char *into, size_t size) {
  const size_t got = file_.readAt(at_, into, size);
  at_ += got;
  return got;
}

size_t ZipMemberStream::readDeflated(char *into, size_t size) {
  z_stream &stream = inflater_->stream;
  size_t done = 0;
  while (done < size && !inflater_->ended) {
    if (stream.avail_in == 0 && packedLeft_ != 0) {
      const size_t wanted = std::min<uint64_t>(packedLeft_, kPieceBytes);
      const size_t got = file_.readAt(at_, inflater_->packed.data(), wanted);
      if (got != wanted)
        broken("the file became shorter while it was read");
      at_ += got;
      packedLeft_ -= got;
      stream.next_in = reinterpret_cast<Bytef *>(inflater_->packed.data());
      stream.avail_in = static_cast<uInt>(got);
    }
    const auto room = static_cast<uInt>(std::min<size_t>(size - done, kPieceBytes));
    stream.next_out = reinterpret_cast<Bytef *>(into + done);
    stream.avail_out = room;
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR)
      throw std::bad_alloc();
    done += room - stream.avail_out;
    inflater_->ended = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END)
      broken("its data cannot be unpacked");
  }
  return done;
}

size_t ZipMemberStream::read(char *into, size_t size) {
  const size_t wanted = std::min<uint64_t>(size, left_);
  if (wanted == 0)
    return 0;
  const size_t got = inflater_ ? readDeflated(into, wanted) : readStored(into, wanted);
  if (got != wanted)
    broken("it has fewer bytes than the directory says");
  left_ -= got;
  checksum_ = static_cast<uint32_t>(crc32_z(checksum_, reinterpret_cast<const Bytef *>(into), got));
  if (left_ == 0 && checksum_ != member_.checksum)
    broken("its checksum is wrong");
  return got;
}

} // namespace mpf
