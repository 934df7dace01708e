// SPDX-License-Identifier: Apache-2.0
/// Download, extract, verify, remember.
#include "loops/io/fetch.hpp"

#include "loops/core/complex.hpp"
#include "loops/core/error.hpp"
#include "loops/io/matrix_market.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

#include "archive.hpp"
#include "download.hpp"

namespace loops {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "suitesparse.lock";

std::string whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  const bool at_end = file.peek() == std::ifstream::traits_type::eof();
  if (!file.is_open() || !at_end || file.bad())
    throw error(errc::io, "it cannot be read to its end");
  return out.str();
}

bool same(const catalogue_entry& a, const catalogue_entry& b) {
  return a.group == b.group && a.name == b.name;
}

/// What fetches into this directory recorded.
std::vector<catalogue_entry> all_recorded(const fs::path& directory) {
  const auto lock = directory / lock_name;
  if (!fs::exists(lock)) return {};
  try {
    return parse_catalogue(whole(lock));
  } catch (const error& e) {
    throw error(e.code(), lock.string() + ": " + e.message() +
                              "; mend it, or remove it to learn its matrices anew");
  }
}

/// What the first fetch of this matrix recorded, or nothing.
std::optional<catalogue_entry> recorded(const catalogue_entry& wanted, const fs::path& directory) {
  for (auto& e : all_recorded(directory))
    if (same(e, wanted)) return e;
  return std::nullopt;
}

/// While it is there, other fetches into the directory leave the lock as it is. Where the file
/// system knows no such thing it does nothing, and what two fetches record at once may be lost.
class alone_in {
 public:
  explicit alone_in(const fs::path& directory)
      : file_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  alone_in(const alone_in&) = delete;
  alone_in& operator=(const alone_in&) = delete;
  ~alone_in() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  int file_;
};

void record(const catalogue_entry& facts, const fs::path& directory) {
  const alone_in here(directory);
  std::string text = "# Learned when each matrix was first fetched; later fetches must agree.\n";
  for (const auto& e : all_recorded(directory))
    if (!same(e, facts)) text += to_line(e) + '\n';
  text += to_line(facts) + '\n';
  static std::atomic<unsigned> count{0};
  const auto fresh = directory / (std::string(lock_name) + '.' + std::to_string(::getpid()) + '-' +
                                  std::to_string(count.fetch_add(1)) + ".new");
  std::ofstream file(fresh, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    std::error_code none;
    fs::remove(fresh, none);
    throw error(errc::io, "cannot write " + fresh.string() + ": is the disk full?");
  }
  fs::rename(fresh, directory / lock_name);
}

struct measured {
  catalogue_entry facts;
  std::int64_t without_zeros = 0;
};

/// Reads the matrix and counts.
measured measure(catalogue_entry entry, const fs::path& file) {
  const auto a = read_matrix_market<complex<double>, std::int32_t, std::int64_t>(file.string());
  measured out{std::move(entry)};
  out.facts.rows = a.rows;
  out.facts.cols = a.cols;
  out.facts.nonzeros = a.nonzeros();
  out.facts.fingerprint = fingerprint(a.view());
  for (const auto& v : a.values) out.without_zeros += v.re != 0 || v.im != 0;
  return out;
}

void require_agreement(const catalogue_entry& known, const measured& found, const char* source) {
  const auto check = [&](const char* what, auto expected, auto actual) {
    if (expected && *expected != *actual)
      throw error(errc::parse, known.group + '/' + known.name + ": the file has " +
                                   std::to_string(*actual) + ' ' + what + ", " + source + " says " +
                                   std::to_string(*expected));
  };
  check("rows", known.rows, found.facts.rows);
  check("columns", known.cols, found.facts.cols);
  // The collection counts nonzeros without the zeros that it stores.
  if (known.nonzeros != found.without_zeros)
    check("nonzeros", known.nonzeros, found.facts.nonzeros);
  if (known.fingerprint && known.fingerprint != found.facts.fingerprint)
    throw error(errc::parse, known.group + '/' + known.name +
                                 ": the pattern of the file is not the one that " + source +
                                 " knows");
}

/// Verifies what was found in a file against the catalogue and the lock; what is learned goes into
/// the lock.
catalogue_entry verified(const catalogue_entry& entry, const measured& found,
                         const fs::path& directory) {
  require_agreement(entry, found, "the catalogue");
  if (const auto earlier = recorded(entry, directory))
    require_agreement(*earlier, found, lock_name);
  else
    record(found.facts, directory);
  return found.facts;
}

}  // namespace

fetch_result fetch(std::string_view name, const fs::path& directory, const fetch_options& options) {
  const auto entry = find_in_catalogue(name);
  const auto folder = directory / entry.group;
  const auto report = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    if (options.progress) options.progress({stage, done, total});
  };
  try {
    // Before the download, which is not to blame for a damaged lock.
    const auto earlier = recorded(entry, directory);
    for (const char* suffix : {".mtx.gz", ".mtx"}) {
      const auto there = folder / (entry.name + suffix);
      if (!fs::exists(there)) continue;
      if (earlier) return {there, *earlier, false};
      if (!options.verify) return {there, entry, false};
      return {there, verified(entry, measure(entry, there), directory), false};
    }

    const auto part = folder / (entry.name + ".tar.gz.part");
    const auto fresh = folder / (entry.name + (options.compress ? ".new.mtx.gz" : ".new.mtx"));
    const auto url = options.base_url + '/' + entry.group + '/' + entry.name + ".tar.gz";
    fetching::download(
        url, part, options.attempts, options.pause, options.stall,
        [&](std::uint64_t done, std::uint64_t total) { report("download", done, total); });
    std::optional<measured> found;
    bool extracted = false;
    fetch_result out{folder / (entry.name + (options.compress ? ".mtx.gz" : ".mtx")), entry, true};
    try {
      const auto total = fs::file_size(part);
      fetching::extract(part, entry.name + '/' + entry.name + ".mtx", fresh, options.compress,
                        options.largest,
                        [&](std::uint64_t done) { report("extract", done, total); });
      extracted = true;
      report("verify", 0, total);
      if (options.verify) {
        found = measure(entry, fresh);
        out.facts = verified(entry, *found, directory);
      }
      report("verify", total, total);
    } catch (const fetching::too_large&) {
      fs::remove(fresh);
      throw;
    } catch (const error& e) {
      fs::remove(fresh);
      // An archive that is damaged, or of another matrix, is not repaired by going on where it
      // ended. One that is whole, with a file that the reader does not take, may serve yet.
      if (e.code() == errc::parse && (!extracted || found)) fs::remove(part);
      throw;
    }
    fs::rename(fresh, out.path);
    fs::remove(part);
    return out;
  } catch (const fs::filesystem_error& e) {
    throw error(errc::io, e.what());
  }
}

}  // namespace loops
