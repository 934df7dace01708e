// SPDX-License-Identifier: Apache-2.0
/// CSR, CSC and COO say the same matrix, whatever order the entries come in.
#include "loops/format/convert_compressed.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "samples.hpp"

namespace {

TEST(to_csr, sorts_scattered_coordinates_and_keeps_duplicates_in_order) {
  const std::vector<int> rows{2, 0, 2, 0, 2, 0};
  const std::vector<int> cols{1, 3, 0, 1, 1, 3};
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const loops::coo_view<float> a{3, 4, 6, rows.data(), cols.data(), values.data()};
  const auto b = loops::to_csr(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 3, 3, 6}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{1, 3, 3, 0, 1, 1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{4, 2, 6, 3, 1, 5}));
}

TEST(to_csc, lists_the_rows_of_each_column) {
  const auto a = samples::make<float, int, int>(2, 3, {{2, 0}, {0}});
  const auto b = loops::to_csc(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 2, 2, 3}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{2, 3, 1}));
}

TEST(sort_columns, is_stable_and_leaves_other_rows_alone) {
  auto a = samples::make<float, int, int>(4, 4, {{3, 1, 3, 0}, {}, {1, 2}, {3, 0}});
  loops::sort_columns(a);
  EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{0, 1, 3, 3, 1, 2, 0, 3}));
  EXPECT_EQ(a.values.to_vector(), (std::vector<float>{4, 2, 1, 3, 5, 6, 8, 7}));
}

TEST(conversions, refuse_a_broken_matrix_before_reading_it) {
  auto a = samples::make<float, int, int>(2, 3, {{2, 0}, {1}});
  a.indices[2] = 3;
  EXPECT_THROW(static_cast<void>(loops::to_csc(a)), loops::error);
  EXPECT_THROW(static_cast<void>(loops::to_coo(a)), loops::error);
  a.indices[2] = 1;
  a.offsets[1] = 1'000'000;
  EXPECT_THROW(static_cast<void>(loops::to_csc(a)), loops::error);
}

/// Memory that says the CPU cannot reach it.
class far_memory final : public loops::memory {
 public:
  void* allocate(std::size_t bytes) override { return host_.allocate(bytes); }
  void deallocate(void* p, std::size_t bytes) noexcept override { host_.deallocate(p, bytes); }
  void upload(void* to, const void* from, std::size_t n) override { host_.upload(to, from, n); }
  void download(void* to, const void* from, std::size_t n) override { host_.download(to, from, n); }
  void fill(void* to, int byte, std::size_t bytes) override { host_.fill(to, byte, bytes); }
  [[nodiscard]] bool on_host() const noexcept override { return false; }

 private:
  loops::host_memory host_;
};

TEST(conversions, refuse_device_memory) {
  const auto a = samples::make<float, int, int>(2, 3, {{2, 0}, {1}});
  const auto away = a.to(std::make_shared<far_memory>());
  EXPECT_THROW(static_cast<void>(loops::to_coo(away)), loops::error);
  const auto back = away.to(loops::default_host_memory());
  EXPECT_TRUE(samples::equal(a, back));
  EXPECT_NO_THROW(static_cast<void>(loops::to_coo(back)));
}

}  // namespace
