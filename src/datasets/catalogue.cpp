// SPDX-License-Identifier: Apache-2.0
/// The catalogue of SuiteSparse matrices: reading it, writing a line of it, finding a name in it.
#include "loops/io/catalogue.hpp"

#include <charconv>

namespace loops {
namespace {

constexpr std::string_view shipped =
#include "suitesparse.inc"
    ;

constexpr std::size_t columns = 9;

[[noreturn]] void fail(std::size_t line, const std::string& what) {
  throw error(errc::parse, "catalogue, line " + std::to_string(line) + ": " + what);
}

std::optional<std::int64_t> count(std::string_view text, std::size_t line) {
  if (text == "-") return std::nullopt;
  std::int64_t value = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || value < 0)
    fail(line, "expected a count or \"-\", found \"" + std::string(text) + "\"");
  return value;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text, std::size_t line) {
  if (text == "-") return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || text.size() != 16)
    fail(line, "expected a fingerprint of 16 hexadecimal digits or \"-\", found \"" +
                   std::string(text) + "\"");
  return value;
}

std::string spelled(const std::optional<std::int64_t>& n) {
  return n ? std::to_string(*n) : "-";
}

std::string spelled(const std::optional<std::uint64_t>& bits) {
  if (!bits) return "-";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[*bits >> shift & 15];
  return out;
}

/// Names become parts of paths and addresses, so they must not be able to leave them.
bool plain(std::string_view name) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.";
  return !name.empty() && name.size() <= 200 && name.front() != '.' &&
         name.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

std::vector<catalogue_entry> parse_catalogue(std::string_view text) {
  std::vector<catalogue_entry> out;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const auto end = text.find('\n');
    auto rest = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
    if (rest.empty() || rest.front() == '#') continue;
    std::vector<std::string_view> cells;
    while (true) {
      const auto tab = rest.find('\t');
      cells.push_back(rest.substr(0, tab));
      if (tab == std::string_view::npos) break;
      rest.remove_prefix(tab + 1);
    }
    if (cells.size() != columns)
      fail(line, "expected " + std::to_string(columns) + " columns between tabs, found " +
                     std::to_string(cells.size()));
    if (!plain(cells[0]) || !plain(cells[1]))
      fail(line, "a group or name has characters that do not belong in one");
    out.push_back({std::string(cells[0]), std::string(cells[1]), count(cells[2], line),
                   count(cells[3], line), count(cells[4], line), std::string(cells[5]),
                   std::string(cells[6]), std::string(cells[7]), hexadecimal(cells[8], line)});
  }
  return out;
}

std::string to_line(const catalogue_entry& e) {
  return e.group + '\t' + e.name + '\t' + spelled(e.rows) + '\t' + spelled(e.cols) + '\t' +
         spelled(e.nonzeros) + '\t' + e.symmetry + '\t' + e.field + '\t' + e.kind + '\t' +
         spelled(e.fingerprint);
}

const std::vector<catalogue_entry>& catalogue() {
  static const std::vector<catalogue_entry> all = parse_catalogue(shipped);
  return all;
}

catalogue_entry find_in_catalogue(std::string_view name) {
  const auto slash = name.find('/');
  if (slash != std::string_view::npos) {
    const auto group = name.substr(0, slash);
    const auto bare = name.substr(slash + 1);
    if (!plain(group) || !plain(bare))
      throw error(
          errc::invalid_argument,
          "\"" + std::string(name) + "\" is not a matrix of the collection: write GROUP/NAME");
    for (const auto& e : catalogue())
      if (e.group == group && e.name == bare) return e;
    return {std::string(group), std::string(bare), {}, {}, {}, "-", "-", "-", {}};
  }
  const catalogue_entry* found = nullptr;
  for (const auto& e : catalogue()) {
    if (e.name != name) continue;
    if (found)
      throw error(errc::invalid_argument, "there is a matrix \"" + std::string(name) + "\" in " +
                                              found->group + " and in " + e.group +
                                              ": write GROUP/NAME");
    found = &e;
  }
  if (!found)
    throw error(errc::invalid_argument,
                "\"" + std::string(name) +
                    "\" is not in the catalogue: write GROUP/NAME, as it is called at " +
                    "https://sparse.tamu.edu");
  return *found;
}

}  // namespace loops
