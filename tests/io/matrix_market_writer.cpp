// SPDX-License-Identifier: Apache-2.0
/// What is written is legal, compressed when it should be, and refused when it cannot be said.
#include "loops/io/matrix_market_writer.hpp"

#include "loops/io/matrix_market_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

class matrix_market_writer : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("loops_writer_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

TEST_F(matrix_market_writer, writes_rows_in_order_with_the_shortest_numbers) {
  const std::vector<int> offsets{0, 2, 2, 3};
  const std::vector<int> indices{0, 3, 2};
  const std::vector<float> values{0.1F, -2, 1e30F};
  write_matrix_market(file("a.mtx"), loops::csr_view<float>{3, 4, 3, offsets.data(), indices.data(),
                                                            values.data()});
  EXPECT_EQ(text_of(file("a.mtx")),
            "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 0.1\n1 4 -2\n3 3 1e+30\n");
}

TEST_F(matrix_market_writer, writes_arrays_down_the_columns) {
  const std::vector<loops::complex<double>> values{{1, 2}, {3, 4}};
  loops::write_matrix_market_array<loops::complex<double>>(file("a.mtx"), 1, 2, values);
  EXPECT_EQ(text_of(file("a.mtx")), "%%MatrixMarket matrix array complex general\n1 2\n1 2\n3 4\n");
  const std::vector<double> more{1, 2, 3, 4, 5, 6};
  loops::write_matrix_market_array<double>(file("b.mtx"), 2, 3, more);
  EXPECT_EQ(text_of(file("b.mtx")),
            "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n");
  EXPECT_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 2, 2, more), loops::error);
  EXPECT_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 0, 2, more), loops::error);
  EXPECT_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 2, 0, more), loops::error);
  const std::vector<double> odd(7);
  EXPECT_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 2, 3, odd), loops::error);
  EXPECT_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 0, 8, odd), loops::error);
  EXPECT_NO_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 0, 2, {}));
  EXPECT_NO_THROW(loops::write_matrix_market_array<double>(file("c.mtx"), 2, 0, {}));
}

// Of all floats its shortest text alone, read as a double, is halfway to the next.
TEST_F(matrix_market_writer, writes_a_float_so_that_a_double_rounds_to_it) {
  const std::vector<float> value{7.038531e-26F};
  loops::write_matrix_market_array<float>(file("a.mtx"), 1, 1, value);
  EXPECT_EQ(loops::read_matrix_market<float>(file("a.mtx")).values[0], value[0]);
}

TEST_F(matrix_market_writer, compresses_by_the_name) {
  const loops::csr<float> none{0, 0, loops::array<int>(std::vector<int>{0}), {}, {}};
  loops::write_matrix_market(file("a.mtx.gz"), none);
  EXPECT_EQ(text_of(file("a.mtx.gz")).substr(0, 2), "\x1f\x8b");
  loops::write_matrix_market(file("a.mtx"), none);
  EXPECT_EQ(text_of(file("a.mtx")), "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
}

TEST_F(matrix_market_writer, refuses_what_the_format_cannot_say) {
  const std::vector<int> offsets{0, 1};
  const std::vector<int> indices{2};
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const loops::csr_view<float> a{1, 3, 1, offsets.data(), indices.data(), &bad};
    try {
      write_matrix_market(file("a.mtx"), a);
      FAIL() << bad << " was written";
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), loops::errc::invalid_argument);
      EXPECT_NE(e.message().find("row 0, column 2"), std::string::npos) << e.message();
    }
    for (const loops::complex<float> part : {loops::complex<float>{1, bad}, {bad, 1}}) {
      const loops::csr_view<loops::complex<float>> c{1,    3, 1, offsets.data(), indices.data(),
                                                     &part};
      EXPECT_THROW(write_matrix_market(file("a.mtx"), c), loops::error);
    }
  }
}

TEST_F(matrix_market_writer, says_when_the_file_cannot_be_written) {
  const loops::csr<float> none;
  for (const char* path : {"/nonexistent/a.mtx", "/nonexistent/a.mtx.gz"}) {
    try {
      loops::write_matrix_market(path, none);
      FAIL() << path << " was written";
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), loops::errc::io);
      EXPECT_NE(e.message().find(path), std::string::npos) << e.message();
    }
  }
  if (std::filesystem::exists("/dev/full")) {
    const std::vector<float> values(100000, 1.5F);
    EXPECT_THROW(loops::write_matrix_market_array<float>("/dev/full", 1000, 100, values),
                 loops::error);
    EXPECT_THROW(loops::write_matrix_market("/dev/full", none), loops::error);
  }
}

}  // namespace
