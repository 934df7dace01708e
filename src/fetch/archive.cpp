// SPDX-License-Identifier: Apache-2.0
/// A tar reader and the gzip streams around it.
#include "archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "../io/gz_file.hpp"

namespace loops::fetching {
namespace {

constexpr std::size_t block = 512;
constexpr std::uint64_t longest_text = 1 << 20;  ///< of a long name or a pax header

/// Where things lie in a ustar header.
constexpr std::size_t name_at = 0, size_at = 124, checksum_at = 148, type_at = 156, magic_at = 257,
                      prefix_at = 345;
constexpr std::size_t name_length = 100, number_length = 12, checksum_length = 8,
                      prefix_length = 155;

[[noreturn]] void damaged(const std::string& what) {
  throw error(errc::parse, "damaged archive, fetch it again: " + what);
}

std::string_view field(const std::array<char, block>& header, std::size_t at, std::size_t length) {
  const std::string_view all(header.data() + at, length);
  return all.substr(0, all.find('\0'));
}

std::uint64_t octal(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  text = first == std::string_view::npos ? std::string_view{} : text.substr(first);
  text = text.substr(0, text.find_first_of(" "));
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
    damaged("a number is not octal");
  return value;
}

/// Sizes of 8 GiB and more are written in base 256, marked by the highest bit.
std::uint64_t size_of(const std::array<char, block>& header) {
  if (!(static_cast<unsigned char>(header[size_at]) & 0x80))
    return octal(field(header, size_at, number_length));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < number_length; ++i) {
    if (value >> 55) damaged("a size is too large");
    const auto byte = static_cast<unsigned char>(header[size_at + i]);
    value = value << 8 | (i == 0 ? byte & 0x7fU : byte);
  }
  return value;
}

void require_checksum(const std::array<char, block>& header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block; ++i) {
    const bool inside = i >= checksum_at && i < checksum_at + checksum_length;
    sum += inside ? ' ' : static_cast<unsigned char>(header[i]);
  }
  if (octal(field(header, checksum_at, checksum_length)) != sum)
    damaged("a header's checksum is wrong");
}

/// Calls `f(key, value)` for the records "LENGTH key=value\n" of a pax header.
template <class Record>
void for_each_record(std::string_view text, Record f) {
  while (!text.empty()) {
    std::size_t length = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto start = static_cast<std::size_t>(read.ptr - text.data()) + 1;
    if (read.ec != std::errc{} || length > text.size() || length < start + 1 ||
        text[start - 1] != ' ' || text[length - 1] != '\n')
      damaged("a pax record is malformed");
    const auto record = text.substr(start, length - start - 1);
    const auto equals = record.find('=');
    if (equals == std::string_view::npos) damaged("a pax record is malformed");
    f(record.substr(0, equals), record.substr(equals + 1));
    text.remove_prefix(length);
  }
}

/// A gzip file that is read; a file that is not gzipped is refused.
class gzip_reader {
 public:
  explicit gzip_reader(const std::filesystem::path& path)
      : file_(gzopen(path.c_str(), "rb")), path_(path) {
    if (!file_) throw error(errc::io, "cannot open " + path.string());
    gzbuffer(file_, 1 << 18);
    if (gzdirect(file_)) {
      gzclose(file_);
      damaged(path.filename().string() + " is not gzipped");
    }
  }
  gzip_reader(const gzip_reader&) = delete;
  gzip_reader& operator=(const gzip_reader&) = delete;
  ~gzip_reader() { gzclose(file_); }
  std::size_t read(char* to, std::size_t most) {
    const int got = gzread(file_, to, static_cast<unsigned>(std::min<std::size_t>(most, 1 << 20)));
    int code = Z_OK;
    const char* what = gzerror(file_, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
      damaged(path_.filename().string() + ": " + what);
    return static_cast<std::size_t>(got);
  }
  /// Bytes of the compressed file read so far.
  [[nodiscard]] std::uint64_t position() const {
    return static_cast<std::uint64_t>(std::max<z_off_t>(0, gzoffset(file_)));
  }

 private:
  gzFile file_;
  std::filesystem::path path_;
};

}  // namespace

void tar_reader::exactly(char* to, std::size_t count) {
  while (count > 0) {
    const auto got = source_(to, count);
    if (got == 0) damaged("it ends in the middle of a file");
    to += got;
    count -= got;
  }
}

std::size_t tar_reader::read(char* to, std::size_t most) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(most, left_));
  exactly(to, count);
  left_ -= count;
  return count;
}

void tar_reader::skip() {
  std::vector<char> ignored(1 << 16);
  while (read(ignored.data(), ignored.size()) > 0) {
  }
  exactly(ignored.data(), static_cast<std::size_t>(padding_));
  padding_ = 0;
}

std::string tar_reader::text(std::uint64_t size) {
  if (size > longest_text) damaged("a name is too long");
  std::string out(static_cast<std::size_t>(size), '\0');
  read(out.data(), out.size());
  return out;
}

bool tar_reader::next(tar_member& member) {
  std::string long_name;
  std::uint64_t pax_size = 0;
  bool has_pax_size = false;
  while (true) {
    skip();
    std::array<char, block> header{};
    // Some writers leave out the two empty blocks that end an archive.
    if (const auto got = source_(header.data(), 1); got == 0) return false;
    exactly(header.data() + 1, block - 1);
    if (std::all_of(header.begin(), header.end(), [](char c) { return c == 0; })) return false;
    require_checksum(header);
    const char type = header[type_at];
    member.size = size_of(header);
    if (has_pax_size && type != 'x' && type != 'L' && type != 'g') member.size = pax_size;
    member.regular = type == '0' || type == '\0';
    const bool contents =
        type != '1' && type != '2' && type != '3' && type != '4' && type != '5' && type != '6';
    left_ = contents ? member.size : 0;
    padding_ = (block - left_ % block) % block;
    if (type == 'L') {
      long_name = text(member.size);
      long_name.resize(std::strlen(long_name.c_str()));
    } else if (type == 'x') {
      for_each_record(text(member.size), [&](std::string_view key, std::string_view value) {
        if (key == "path") long_name = value;
        if (key != "size") return;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), pax_size);
        if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || pax_size >> 62)
          damaged("a pax size is malformed");
        has_pax_size = true;
      });
    } else if (type != 'g') {
      member.path = field(header, name_at, name_length);
      const bool ustar = field(header, magic_at, 5) == "ustar";
      if (const auto prefix = field(header, prefix_at, prefix_length); ustar && !prefix.empty())
        member.path = std::string(prefix) + '/' + member.path;
      if (!long_name.empty()) member.path = long_name;
      return true;
    }
  }
}

void extract(const std::filesystem::path& archive, const std::string& name,
             const std::filesystem::path& to, bool compress, std::uint64_t largest,
             const std::function<void(std::uint64_t)>& progress) {
  gzip_reader gzip(archive);
  std::uint64_t unpacked = 0;
  // The bound holds for all of the archive: skipping a file costs as much as unpacking it.
  const auto bounded = [&](char* bytes, std::size_t most) {
    const auto got = gzip.read(bytes, most);
    if ((unpacked += got) > largest)
      throw too_large(errc::parse, archive.filename().string() + " unpacks to more than " +
                                       std::to_string(largest) +
                                       " bytes; raise the limit if that is right");
    return got;
  };
  tar_reader tar(bounded);
  std::vector<char> buffer(1 << 18);
  tar_member member;
  bool found = false;
  while (tar.next(member)) {
    if (member.path != name && member.path != "./" + name) continue;
    if (!member.regular || found)
      damaged(name + (found ? " is in it twice" : " is not a plain file"));
    found = true;
    detail::gz_file out(to.string(), compress);
    while (const auto got = tar.read(buffer.data(), buffer.size())) {
      out.write(buffer.data(), got);
      progress(gzip.position());
    }
    out.close();
  }
  while (bounded(buffer.data(), buffer.size()) > 0) {  // the checksum comes last
  }
  if (!found) damaged("there is no " + name + " in it");
}

}  // namespace loops::fetching
