// SPDX-License-Identifier: Apache-2.0
/// Finds, makes and fills the matrices.
#include "support/matrices.hpp"

#include "loops/algorithm/statistics.hpp"
#include "loops/execution/host.hpp"
#include "loops/io/generate.hpp"
#include "loops/io/matrix_market.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <filesystem>

namespace loops::bench {

namespace {

namespace fs = std::filesystem;

bool is_matrix_file(const std::string& name) {
  return name.ends_with(".mtx") || name.ends_with(".mtx.gz");
}

matrix_source from_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return {name.substr(0, name.rfind(".mtx")), path.string(), true};
}

}  // namespace

float exact_value(std::uint64_t n) {
  n = (n + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 31)) * 0x94d049bb133111ebu;
  return static_cast<float>(2 * static_cast<int>(n >> 58) - 63) / 64;
}

namespace {

/// Calls f(first, last) for stretches of 0 … count - 1 on all processors.
template <class F>
void in_parallel(std::int64_t count, const F& f) {
  constexpr std::int64_t stretch = 1 << 14;
  auto task = [&](std::int64_t i) { f(i * stretch, std::min(count, (i + 1) * stretch)); };
  host::default_pool()->run((count + stretch - 1) / stretch, host::task_ref(task));
}

}  // namespace

std::vector<matrix_source> default_matrices() {
  return find_matrices({"banded:rows=4M,width=16", "stencil5:nx=2k,ny=2k",
                        "random:rows=1M,cols=1M,per_row=16", "power_law:rows=1M,nonzeros=14M",
                        "random:rows=2k,cols=200k,per_row=20k", "dense_row:rows=200k,per_row=3",
                        "random:rows=20k,cols=20k,per_row=10"});
}

std::vector<matrix_source> find_matrices(const std::vector<std::string>& arguments) {
  std::vector<matrix_source> out;
  for (const std::string& text : arguments) {
    if (fs::is_directory(text)) {
      std::vector<matrix_source> files;
      for (const auto& entry : fs::recursive_directory_iterator(text))
        if (is_matrix_file(entry.path().filename().string()))
          files.push_back(from_file(entry.path()));
      require(!files.empty(), errc::io, ("no .mtx or .mtx.gz file below " + text).c_str());
      std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.text < b.text; });
      out.insert(out.end(), files.begin(), files.end());
    } else if (is_matrix_file(text)) {
      require(fs::exists(text), errc::io, ("there is no file " + text).c_str());
      out.push_back(from_file(text));
    } else {
      (void)make_rows(text);  // so that a misspelt line fails now and not in the middle of a run
      out.push_back({text, text, false});
    }
  }
  return out;
}

csr<float> exact_matrix(const matrix_source& source) {
  csr<float> a =
      source.file ? read_matrix_market<float>(source.text) : generate<float>(source.text);
  in_parallel(a.nonzeros(), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      a.values.data()[i] = exact_value(static_cast<std::uint64_t>(i));
  });
  return a;
}

exact_problem load(const matrix_source& source) {
  exact_problem p;
  p.a = exact_matrix(source);
  p.x = array<float>(static_cast<std::size_t>(p.a.cols));
  p.y = array<double>(static_cast<std::size_t>(p.a.rows));
  in_parallel(p.a.cols, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      p.x.data()[i] = exact_value(static_cast<std::uint64_t>(i) + (std::uint64_t{1} << 40));
  });
  const auto view = p.a.view();
  in_parallel(p.a.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      double sum = 0;
      for (std::int64_t k = view.offsets[r]; k < view.offsets[r + 1]; ++k)
        sum += double(view.values[k]) * double(p.x.data()[view.indices[k]]);
      p.y.data()[r] = sum;
    }
  });
  p.seen = statistics_of(
      segments<std::int32_t>(view.offsets, p.a.rows, static_cast<std::int32_t>(p.a.nonzeros())),
      columns_in{view.indices});
  return p;
}

}  // namespace loops::bench
