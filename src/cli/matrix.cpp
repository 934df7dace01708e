// SPDX-License-Identifier: Apache-2.0
/// Finds and reads the matrices of a command line.
#include "cli/matrix.hpp"

#include "loops/core/error.hpp"
#include "loops/io/generate.hpp"
#include "loops/io/matrix_market.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

namespace loops::cli {

namespace {

namespace fs = std::filesystem;

std::string short_name(const fs::path& path) {
  std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  for (const std::string_view end : {".gz", ".mtx"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name;
}

matrix_source file_at(const fs::path& path) {
  return {matrix_source::kind::file, short_name(path), path.string(), {}};
}

matrix_source nothing_at(const std::string& text, const std::string& why) {
  return {matrix_source::kind::file, text, text, why};
}

std::vector<matrix_source> search(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string path = at->path().string();
    if (!path.ends_with(".mtx") && !path.ends_with(".mtx.gz")) continue;
    // What leads nowhere, such as a link in a circle, is kept: reading it says what is wrong.
    std::error_code unknown;
    if (at->is_regular_file(unknown) || unknown) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  std::vector<matrix_source> out;
  for (const std::string& path : paths) out.push_back(file_at(path));
  if (failed) {
    out.push_back(nothing_at(folder, failed.message()));
  } else if (out.empty()) {
    out.push_back(nothing_at(folder, "there is no .mtx or .mtx.gz file in this folder"));
  }
  return out;
}

bool is_generator(const std::string& spec) {
  const std::string name = spec.substr(0, spec.find(':'));
  const auto& all = list_generators();
  return std::any_of(all.begin(), all.end(), [&](const generator& g) { return g.name == name; });
}

bool looks_like_a_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".mtx") || text.ends_with(".gz");
}

}  // namespace

std::vector<matrix_source> find_matrices(const std::vector<std::string>& arguments) {
  std::vector<matrix_source> out;
  for (const std::string& text : arguments) {
    std::error_code ignored;
    const auto& bundled = bundled_matrices();
    if (fs::is_directory(text, ignored)) {
      const auto found = search(text);
      out.insert(out.end(), found.begin(), found.end());
    } else if (fs::exists(text, ignored) || looks_like_a_path(text)) {
      out.push_back(file_at(text));
    } else if (std::any_of(bundled.begin(), bundled.end(),
                           [&](const bundled_matrix& b) { return b.name == text; })) {
      out.push_back({matrix_source::kind::bundled, text, text, {}});
    } else if (is_generator(text)) {
      require_meant(text);
      out.push_back({matrix_source::kind::generated, text, text, {}});
    } else {
      std::string names;
      for (const bundled_matrix& b : bundled) names += " " + std::string(b.name);
      names += "; generators:";
      for (const generator& g : list_generators()) names += " " + g.name;
      out.push_back(nothing_at(
          text,
          "it is neither a file, a folder, a bundled matrix nor a generator. Bundled:" + names));
    }
  }
  return out;
}

bool is_there(const matrix_source& source) {
  std::error_code ignored;
  return source.error.empty() &&
         (source.from != matrix_source::kind::file || fs::exists(source.place, ignored));
}

void require_meant(const std::string& spec) {
  try {
    static_cast<void>(make_rows(spec));
  } catch (const error& e) {
    if (e.code() == errc::invalid_argument) throw;
  }
}

host_matrix load(const matrix_source& source) {
  if (!source.error.empty()) throw error(errc::io, source.error);
  host_matrix out;
  if (source.from == matrix_source::kind::generated) {
    out.parts = generate<double, std::int64_t, std::int64_t>(source.place);
    return out;
  }
  matrix_market::coordinates stored;
  if (source.from == matrix_source::kind::bundled) {
    for (const bundled_matrix& b : bundled_matrices())
      if (b.name == source.place) stored = matrix_market::parse(b.text, source.place);
  } else {
    stored = matrix_market::read_coordinates(source.place);
  }
  if (stored.header.field != matrix_market::field::complex) {
    out.parts = detail::expand<double, std::int64_t, std::int64_t>(stored, source.place, {});
    return out;
  }
  auto all = detail::expand<complex<double>, std::int64_t, std::int64_t>(stored, source.place, {});
  out.parts = {all.rows, all.cols, std::move(all.offsets), std::move(all.indices),
               array<double>(all.values.size())};
  out.imaginary.resize(all.values.size());
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    out.parts.values[i] = all.values[i].re;
    out.imaginary[i] = all.values[i].im;
  }
  return out;
}

}  // namespace loops::cli
