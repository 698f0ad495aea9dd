#include "dsl/support/files/unpacker.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <climits>
#include <lzma.h>
#include <new>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace mpf {

namespace {

class GzipUnpacker final : public Unpacker {
public:
  explicit GzipUnpacker(const std::string &path) : Unpacker(path, "gzip") {
    if (const int status = inflateInit2(&stream_, 15 + 32); status == Z_MEM_ERROR)
      throw std::bad_alloc();
    else if (status != Z_OK)
      fail(ErrorKind::Internal, "zlib cannot start");
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }

private:
  bool tryStep(std::string_view &packed, bool isLast, char *into, size_t size,
               Step &done) override {
    if (atMemberEnd_) { // concatenated members are one file; other bytes after the end are broken
      done.ended = isLast && packed.empty();
      if (packed.empty())
        return true;
      if (inflateReset(&stream_) != Z_OK)
        return false;
      atMemberEnd_ = false;
    }
    const size_t offered = std::min<size_t>(packed.size(), UINT_MAX);
    stream_.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef *>(into);
    stream_.avail_out = static_cast<uInt>(std::min<size_t>(size, UINT_MAX));
    const uInt room = stream_.avail_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR)
      throw std::bad_alloc();
    done.written = room - stream_.avail_out;
    packed.remove_prefix(offered - stream_.avail_in);
    atMemberEnd_ = status == Z_STREAM_END;
    done.ended = atMemberEnd_ && isLast && packed.empty();
    const bool waits = status == Z_BUF_ERROR && !isLast; // it waits for more packed bytes
    return status == Z_OK || atMemberEnd_ || waits;
  }

  z_stream stream_{};
  bool atMemberEnd_ = false;
};

class XzUnpacker final : public Unpacker {
public:
  explicit XzUnpacker(const std::string &path) : Unpacker(path, "xz") {
    constexpr uint64_t kDecoderMemoryBytes = uint64_t{256} << 20;
    const lzma_ret started = lzma_stream_decoder(&stream_, kDecoderMemoryBytes, LZMA_CONCATENATED);
    if (started == LZMA_MEM_ERROR)
      throw std::bad_alloc();
    if (started != LZMA_OK)
      fail(ErrorKind::Internal, "liblzma cannot start");
  }
  ~XzUnpacker() override { lzma_end(&stream_); }

private:
  bool tryStep(std::string_view &packed, bool isLast, char *into, size_t size,
               Step &done) override {
    stream_.next_in = reinterpret_cast<const uint8_t *>(packed.data());
    stream_.avail_in = packed.size();
    stream_.next_out = reinterpret_cast<uint8_t *>(into);
    stream_.avail_out = size;
    const lzma_ret status = lzma_code(&stream_, isLast ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_MEM_ERROR)
      throw std::bad_alloc();
    done.written = size - stream_.avail_out;
    packed.remove_prefix(packed.size() - stream_.avail_in);
    done.ended = status == LZMA_STREAM_END;
    const bool waits = status == LZMA_BUF_ERROR && !isLast;
    return status == LZMA_OK || done.ended || waits;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdUnpacker final : public Unpacker {
public:
  explicit ZstdUnpacker(const std::string &path)
      : Unpacker(path, "zstd"), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (stream_ == nullptr)
      throw std::bad_alloc();
  }

private:
  bool tryStep(std::string_view &packed, bool isLast, char *into, size_t size,
               Step &done) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{into, size, 0};
    const size_t status = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
      throw std::bad_alloc();
    if (ZSTD_isError(status))
      return false;
    done.written = out.pos;
    packed.remove_prefix(in.pos);
    if (status == 0)
      atFrameEnd_ = true;
    else if (in.pos != 0 || out.pos != 0) // without progress, the result describes the next frame
      atFrameEnd_ = false;
    done.ended = atFrameEnd_ && isLast && packed.empty();
    return done.ended || !isLast || in.pos != 0 || out.pos != 0;
  }

  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream_;
  bool atFrameEnd_ = false;
};

constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd";
constexpr std::string_view kZip = "PK\x03\x04"; // start of an archive that is not empty
constexpr std::string_view kXz("\xfd"
                               "7zXZ\0",
                               6);

} // namespace

Unpacker::Step Unpacker::step(std::string_view &packed, bool isLast, char *into, size_t size) {
  Step done;
  if (!tryStep(packed, isLast, into, size, done))
    fail(ErrorKind::BadInput, "{}: broken or truncated {} data", path_, format_);
  return done;
}

bool isPacked(std::string_view start) {
  return start.starts_with(kGzip) || start.starts_with(kXz) || start.starts_with(kZstd) ||
         start.starts_with(kZip);
}

std::unique_ptr<Unpacker> unpackerFor(std::string_view start, const std::string &path) {
  if (start.starts_with(kGzip))
    return std::make_unique<GzipUnpacker>(path);
  if (start.starts_with(kXz))
    return std::make_unique<XzUnpacker>(path);
  if (start.starts_with(kZstd))
    return std::make_unique<ZstdUnpacker>(path);
  if (start.starts_with(kZip))
    fail(ErrorKind::BadInput,
         "{}: is a ZIP archive, as .npz files are: unpack it and name the file in it", path);
  return nullptr;
}

} // namespace mpf
