// SPDX-License-Identifier: Apache-2.0
/// SpMV with 16-bit columns: exact under every schedule, and refused where they do not suffice.
#include "algorithms/spmv/narrow_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "products.hpp"

namespace products {
namespace {

/// A matrix that is multiplied with 16-bit columns.
template <class A>
struct narrowed {
  A a;
  [[nodiscard]] narrowed to(const std::shared_ptr<loops::memory>& where) const {
    return {a.to(where)};
  }
  [[nodiscard]] auto view() const { return loops::narrow_columns(a.view()); }
};

/// Whether no 256 consecutive nonzeros are too far apart.
template <class A>
bool is_narrow(const A& a) {
  for (std::size_t from = 0; from < a.indices.size(); from += 256) {
    const auto* first = a.indices.data() + from;
    const auto [low, high] =
        std::minmax_element(first, first + std::min<std::size_t>(256, a.indices.size() - from));
    if (*high - *low > 65535) return false;
  }
  return true;
}

struct as_narrow {
  static constexpr const char* refusal = "too far apart";
  template <class A>
  static narrowed<A> make(const A& a, loops::padding_limit) {
    if (!is_narrow(a)) throw loops::error(loops::errc::unsupported, refusal);
    return {a.to(loops::default_host_memory())};
  }
};

template <class Exec>
class narrow_columns : public spmv<Exec> {};
TYPED_TEST_SUITE(narrow_columns, support::executors, support::executor_name);

TYPED_TEST(narrow_columns, float32) {
  check<as_narrow, float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(narrow_columns, other_types) {
  check_other_types<as_narrow>(this->any());
}

/// One row, its columns far from zero: `spread` is between the first and the last of nonzeros
/// `first` and `second`.
loops::csr<float> two_far_columns(std::int64_t spread, std::size_t nonzeros, std::size_t first,
                                  std::size_t second) {
  std::vector<std::int32_t> columns(nonzeros, 100000);
  columns[first] = 100000;
  columns[second] = static_cast<std::int32_t>(100000 + spread);
  return {1, 300000,
          loops::array<std::int32_t>(std::vector<std::int32_t>{0, static_cast<int>(nonzeros)}),
          loops::array<std::int32_t>(columns),
          loops::array<float>(std::vector<float>(nonzeros, 1.0F))};
}

TYPED_TEST(narrow_columns, counts_to_65535_and_refuses_more) {
  const auto exec = this->any();
  std::vector<float> ones(300000, 1.0F);
  ones[100000] = 3;
  const loops::array<float> x(ones, exec.memory());
  loops::array<float> y(1, exec.memory());
  // The far column at the end of a run, alone in the last one, and in the run after.
  for (const std::size_t far : {255U, 256U, 511U}) {
    const auto a = two_far_columns(65535, 512, 0, far).to(exec.memory());
    const auto step =
        loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::narrow_columns(a.view()));
    step(x, y);
    EXPECT_EQ(y.to_vector().front(), 3 * 511 + 1);
  }
  for (const std::size_t far : {255U, 511U}) {
    const auto a = two_far_columns(65536, 512, 0, far).to(exec.memory());
    support::expect_error(loops::errc::unsupported, "65536 apart", [&] {
      static_cast<void>(
          loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::narrow_columns(a.view())));
    });
  }
  // Neighbouring runs may be as far apart as they like.
  auto b = two_far_columns(0, 512, 0, 1);
  for (std::size_t k = 256; k < 512; ++k) b.indices[k] = 7;
  const auto there = b.to(exec.memory());
  loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::narrow_columns(there.view()))(x, y);
  EXPECT_EQ(y.to_vector().front(), 3 * 256 + 256);
}

/// Distances, x and values, which go to memory by lines of 128 bytes: 3, 4 and 5 of them.
TEST(narrow_columns_map, tells_the_lines_that_it_reads) {
  const loops::spmv_detail::near_nonzero_times_x<float, std::int32_t, 256> map{
      nullptr, nullptr, nullptr, nullptr, 5 * 32, 4 * 32};
  EXPECT_EQ(map.lines(), 3 + 4 + 5);
}

TYPED_TEST(narrow_columns, refuses_a_matrix_that_does_not_know_its_nonzeros) {
  const auto exec = this->any();
  const auto a = two_far_columns(7, 512, 0, 1).to(exec.memory());
  for (const std::int32_t nonzeros : {0, 511, 513, 1 << 20}) {
    auto view = a.view();
    view.nonzeros = nonzeros;
    support::expect_error(
        loops::errc::invalid_argument, "does a matrix not know how many nonzeros it has?", [&] {
          static_cast<void>(
              loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::narrow_columns(view)));
        });
  }
}

}  // namespace
}  // namespace products
