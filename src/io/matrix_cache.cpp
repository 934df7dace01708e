// SPDX-License-Identifier: Apache-2.0
/// The binary copies of matrices: their names, their layout and their checksum.
#include "loops/io/matrix_cache.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <system_error>
#include <type_traits>
#include <unistd.h>

namespace loops::detail {
namespace {

constexpr std::array<char, 8> magic = {'l', 'o', 'o', 'p', 's', 'c', 's', 'r'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;  // reads differently where bytes go the other way

/// The first bytes of a copy; offsets, indices and values follow without gaps.
struct file_header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::array<char, 8> value;
  std::uint32_t value_size;
  std::uint32_t index_size;
  std::uint32_t offset_size;
  std::uint32_t unused;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t nonzeros;
  std::uint64_t source_size;
  std::int64_t source_modified;
  std::uint64_t payload_checksum;
  std::uint64_t header_checksum;  ///< of everything before it
};
static_assert(std::is_trivially_copyable_v<file_header> && sizeof(file_header) == 96);

/// A 64-bit checksum of whole arrays, at the speed of memory. Every step is a bijection of the
/// lane, so a change in a single word always shows. It guards against damage, not against intent.
std::uint64_t checksum(const void* data, std::size_t size, std::uint64_t seed) {
  constexpr std::uint64_t a = 0x9e3779b97f4a7c15U;
  constexpr std::uint64_t b = 0xc2b2ae3d27d4eb4fU;
  std::array<std::uint64_t, 4> lanes = {seed ^ a, seed + b, ~seed, seed - a};
  const auto mix = [](std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane ^ (word * a), 29) * b;
  };
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::size_t left = size;
  for (; left >= 32; left -= 32, bytes += 32) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes, 32);
    for (std::size_t k = 0; k < 4; ++k) lanes[k] = mix(lanes[k], words[k]);
  }
  std::uint64_t out = seed ^ size;
  for (const std::uint64_t lane : lanes) out = mix(out, lane);
  for (; left != 0; --left) out = mix(out, *bytes++);
  out = (out ^ (out >> 32)) * a;
  return out ^ (out >> 29);
}

struct closer {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file_handle = std::unique_ptr<std::FILE, closer>;

/// The bytes of offsets, indices and values; nothing if they cannot be counted.
struct payload {
  std::size_t offsets;
  std::size_t indices;
  std::size_t values;
};
std::optional<payload> payload_of(const cached_types& types, const cached_sizes& sizes) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;
  if (sizes.rows < 0 || sizes.cols < 0 || sizes.nonzeros < 0 || sizes.rows >= most ||
      sizes.nonzeros >= most)
    return std::nullopt;
  const auto nonzeros = static_cast<std::size_t>(sizes.nonzeros);
  return payload{(static_cast<std::size_t>(sizes.rows) + 1) * types.offset_size,
                 nonzeros * types.index_size, nonzeros * types.value_size};
}

std::uint64_t payload_checksum(const payload& bytes, const void* offsets, const void* indices,
                               const void* values) {
  return checksum(values, bytes.values,
                  checksum(indices, bytes.indices, checksum(offsets, bytes.offsets, version)));
}

file_header header_of(const cached_types& types, const file_stamp& source,
                      const cached_sizes& sizes, std::uint64_t payload_sum) {
  file_header h{};
  h.magic = magic;
  h.version = version;
  h.byte_order = byte_order;
  std::strncpy(h.value.data(), types.value, h.value.size() - 1);
  h.value_size = static_cast<std::uint32_t>(types.value_size);
  h.index_size = static_cast<std::uint32_t>(types.index_size);
  h.offset_size = static_cast<std::uint32_t>(types.offset_size);
  h.rows = sizes.rows;
  h.cols = sizes.cols;
  h.nonzeros = sizes.nonzeros;
  h.source_size = source.size;
  h.source_modified = source.modified;
  h.payload_checksum = payload_sum;
  h.header_checksum = checksum(&h, offsetof(file_header, header_checksum), version);
  return h;
}

bool write_all(std::FILE* f, const void* data, std::size_t size) {
  return size == 0 || std::fwrite(data, 1, size, f) == size;
}
bool read_all(std::FILE* f, void* data, std::size_t size) {
  return size == 0 || std::fread(data, 1, size, f) == size;
}

}  // namespace

std::optional<file_stamp> stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  file_stamp stamp;
  stamp.size = static_cast<std::uint64_t>(status.st_size);
  stamp.modified = std::int64_t{status.st_mtim.tv_sec} * second + status.st_mtim.tv_nsec;
  // A file system's clock may tick slowly: a second change in the same tick leaves the time alone.
  stamp.settled = std::int64_t{now.tv_sec} * second + now.tv_nsec - stamp.modified >= second;
  return stamp;
}

std::string cache_path(const std::string& path, const cached_types& types) {
  std::string ending(1, '.');
  ending += types.value;
  ending += ".i" + std::to_string(8 * types.index_size);
  ending += ".o" + std::to_string(8 * types.offset_size);
  ending += ".loops";
  const char* const folder = std::getenv("LOOPS_CACHE_DIR");
  if (!folder || !*folder) return path + ending;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  // Files of the same name from different folders must not meet.
  std::filesystem::path whole = std::filesystem::weakly_canonical(path, ignored);
  if (whole.empty()) whole = path;
  const std::string& text = whole.native();
  std::array<char, 24> number{};
  std::snprintf(number.data(), number.size(), ".%016llx",
                static_cast<unsigned long long>(checksum(text.data(), text.size(), version)));
  return (std::filesystem::path(folder) / whole.filename()).string() + number.data() + ending;
}

struct cache_reader::state {
  file_handle file;
  payload bytes{};
  std::uint64_t checksum = 0;
};

cache_reader::cache_reader(const std::string& path, const cached_types& types,
                           const file_stamp& source) {
  file_handle file(std::fopen(path.c_str(), "rbe"));
  file_header h{};
  struct stat status {};
  if (!file || ::fstat(::fileno(file.get()), &status) != 0 || !S_ISREG(status.st_mode) ||
      !read_all(file.get(), &h, sizeof h))
    return;
  const cached_sizes sizes{h.rows, h.cols, h.nonzeros};
  const file_header expected = header_of(types, source, sizes, h.payload_checksum);
  const auto bytes = payload_of(types, sizes);
  if (std::memcmp(&h, &expected, sizeof h) != 0 || !bytes) return;
  // The file holds what its header says, so memory is only taken for what is there.
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < sizeof h || bytes->offsets > size || bytes->indices > size || bytes->values > size ||
      sizeof h + bytes->offsets + bytes->indices + bytes->values != size)
    return;
  sizes_ = sizes;
  state_ = std::make_unique<state>(state{std::move(file), *bytes, h.payload_checksum});
}
cache_reader::~cache_reader() = default;

bool cache_reader::good() const {
  return state_ != nullptr;
}

bool cache_reader::read(void* offsets, void* indices, void* values) {
  std::FILE* const f = state_->file.get();
  return read_all(f, offsets, state_->bytes.offsets) &&
         read_all(f, indices, state_->bytes.indices) && read_all(f, values, state_->bytes.values) &&
         payload_checksum(state_->bytes, offsets, indices, values) == state_->checksum;
}

bool write_cache(const std::string& path, const cached_types& types, const file_stamp& source,
                 const cached_sizes& sizes, const void* offsets, const void* indices,
                 const void* values) noexcept try {
  static std::atomic<unsigned> count{0};
  const auto bytes = payload_of(types, sizes);
  if (!bytes) return false;
  std::string temporary;
  file_handle file;
  // One that ended while it wrote may have had this number: in a container they are always the
  // same.
  for (int tries = 0; !file && tries < 100 && (tries == 0 || errno == EEXIST); ++tries) {
    temporary = path + "." + std::to_string(::getpid()) + "-" + std::to_string(count.fetch_add(1)) +
                ".part";
    file.reset(std::fopen(temporary.c_str(), "wbxe"));
  }
  if (!file) return false;
  const file_header h =
      header_of(types, source, sizes, payload_checksum(*bytes, offsets, indices, values));
  bool good = write_all(file.get(), &h, sizeof h) &&
              write_all(file.get(), offsets, bytes->offsets) &&
              write_all(file.get(), indices, bytes->indices) &&
              write_all(file.get(), values, bytes->values);
  good = std::fclose(file.release()) == 0 && good;
  // Readers see the old copy or the new one, never a part of it.
  if (good && std::rename(temporary.c_str(), path.c_str()) == 0) return true;
  std::remove(temporary.c_str());
  return false;
} catch (...) {
  return false;  // the matrix is there; only the copy of it is not
}

}  // namespace loops::detail
