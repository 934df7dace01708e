// SPDX-License-Identifier: Apache-2.0
/// A copy is used only while it is whole and made from the file as it is.
#include "loops/io/matrix_cache.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

class matrix_cache : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("LOOPS_CACHE_DIR");
    folder_ = fs::path(testing::TempDir()) /
              ("loops_cache_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    source_ = (folder_ / "a.mtx").string();
    copy_ = source_ + ".f32.i32.o32.loops";
    write_source("5");
  }
  void TearDown() override {
    ::unsetenv("LOOPS_CACHE_DIR");
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  /// A matrix whose only value is `value`, last changed `age` ago.
  void write_source(const std::string& value, std::chrono::seconds age = std::chrono::hours(1)) {
    std::ofstream(source_) << "%%MatrixMarket matrix coordinate real general\n3 4 1\n2 3 " << value
                           << "\n";
    fs::last_write_time(source_, fs::file_time_type::clock::now() - age);
  }
  [[nodiscard]] float read_value() const {
    const auto a = loops::read_matrix_cached<float>(source_);
    EXPECT_EQ(a.rows, 3);
    EXPECT_EQ(a.cols, 4);
    EXPECT_EQ(a.offsets.to_vector(), (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{2}));
    return a.values[0];
  }
  static std::string bytes_of(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }
  static void set_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  /// Changes the source without changing its size or time: only a reader of the copy misses it.
  void change_source_secretly() const {
    const auto time = fs::last_write_time(source_);
    std::string text = bytes_of(source_);
    text[text.size() - 2] = '9';
    set_bytes(source_, text);
    fs::last_write_time(source_, time);
  }

  fs::path folder_;
  std::string source_;
  std::string copy_;
};

TEST_F(matrix_cache, what_an_earlier_process_of_the_same_number_left_is_in_nobodys_way) {
  for (int i = 0; i < 64; ++i)
    set_bytes(copy_ + "." + std::to_string(::getpid()) + "-" + std::to_string(i) + ".part", "cut");
  EXPECT_EQ(read_value(), 5);
  EXPECT_TRUE(fs::exists(copy_));
}

TEST_F(matrix_cache, unsigned_types_have_copies_too) {
  for (int again = 0; again < 2; ++again) {
    const auto a = loops::read_matrix_cached<float, std::uint64_t>(source_);
    EXPECT_EQ(a.cols, 4U);
    EXPECT_EQ(a.offsets.to_vector(), (std::vector<std::uint64_t>{0, 0, 1, 1}));
  }
  EXPECT_TRUE(fs::exists(source_ + ".f32.i64.o64.loops"));
}

TEST_F(matrix_cache, is_made_by_the_first_reader_and_used_by_the_second) {
  EXPECT_EQ(read_value(), 5);
  EXPECT_TRUE(fs::exists(copy_));
  change_source_secretly();
  EXPECT_EQ(read_value(), 5) << "the text was read again";
  fs::remove(copy_);
  EXPECT_EQ(read_value(), 9);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << "a temporary file was left";
}

TEST_F(matrix_cache, is_stale_when_size_or_time_differ) {
  EXPECT_EQ(read_value(), 5);
  write_source("6", std::chrono::hours(2));
  EXPECT_EQ(read_value(), 6);
  const auto time = fs::last_write_time(source_);
  write_source("7.0");
  fs::last_write_time(source_, time);
  EXPECT_EQ(read_value(), 7);
}

TEST_F(matrix_cache, is_not_made_of_a_file_that_has_just_changed) {
  write_source("5", std::chrono::seconds(0));
  EXPECT_EQ(read_value(), 5);
  EXPECT_FALSE(fs::exists(copy_)) << "the next change might not change the time";
}

TEST_F(matrix_cache, damage_of_any_byte_or_length_is_noticed_and_mended) {
  EXPECT_EQ(read_value(), 5);
  const std::string good = bytes_of(copy_);
  ASSERT_EQ(good.size(), 96U + 4 * 4 + 4 + 4);
  change_source_secretly();
  for (std::size_t place = 0; place < good.size(); ++place)
    for (const int flip : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[place] = static_cast<char>(bad[place] ^ flip);
      set_bytes(copy_, bad);
      ASSERT_EQ(read_value(), 9) << "byte " << place;
      ASSERT_NE(bytes_of(copy_), bad) << "byte " << place;
    }
  for (std::size_t size = 0; size < good.size(); ++size) {
    set_bytes(copy_, good.substr(0, size));
    ASSERT_EQ(read_value(), 9) << size << " bytes";
  }
  set_bytes(copy_, good + "x");
  EXPECT_EQ(read_value(), 9);
  set_bytes(copy_, good);
  EXPECT_EQ(read_value(), 5) << "the good copy was not used: the test proves nothing";
}

TEST_F(matrix_cache, a_copy_that_was_made_wrong_is_not_trusted) {
  const auto stamp = loops::detail::stamp_of(source_);
  ASSERT_TRUE(stamp);
  const loops::detail::cached_types types{"f32", 4, 4, 4};
  const float value = 8;
  const auto copy = [&](std::vector<int> offsets, int index) {
    ASSERT_TRUE(loops::detail::write_cache(copy_, types, *stamp, {3, 4, 1}, offsets.data(), &index,
                                           &value));
  };
  copy({0, 0, 1, 1}, 2);
  EXPECT_EQ(read_value(), 8);
  copy({0, 0, 1, 1}, 4);
  EXPECT_EQ(read_value(), 5) << "a column outside the matrix";
  copy({0, 1'000'000'000, 1, 1}, 2);
  EXPECT_EQ(read_value(), 5) << "a row outside the arrays";
}

TEST_F(matrix_cache, types_have_copies_of_their_own) {
  EXPECT_EQ(read_value(), 5);
  EXPECT_EQ(loops::read_matrix_cached<double>(source_).values[0], 5);
  EXPECT_EQ((loops::read_matrix_cached<loops::half, std::int64_t>(source_).values[0]), 5.0F);
  EXPECT_EQ((loops::read_matrix_cached<float, std::int32_t, std::int64_t>(source_).values[0]), 5);
  for (const char* ending : {".f32.i32.o32", ".f64.i32.o32", ".f16.i64.o64", ".f32.i32.o64"})
    EXPECT_TRUE(fs::exists(source_ + ending + ".loops")) << ending;
  fs::copy_file(source_ + ".f64.i32.o32.loops", copy_, fs::copy_options::overwrite_existing);
  change_source_secretly();
  EXPECT_EQ(read_value(), 9) << "a copy of doubles was read as floats";
}

TEST_F(matrix_cache, a_folder_that_cannot_be_written_is_no_error) {
  if (::geteuid() == 0) {
    // Nobody keeps root out of a folder, but a folder in the place of the copy does.
    fs::create_directories(copy_ + "/occupied");
  } else {
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  }
  EXPECT_EQ(read_value(), 5);
  EXPECT_EQ(read_value(), 5);
  ::setenv("LOOPS_CACHE_DIR", "/dev/null/nowhere", 1);
  EXPECT_EQ(read_value(), 5);
}

TEST_F(matrix_cache, may_be_kept_elsewhere) {
  const fs::path elsewhere = folder_ / "deep" / "cache";
  ::setenv("LOOPS_CACHE_DIR", elsewhere.c_str(), 1);
  EXPECT_EQ(read_value(), 5);
  EXPECT_FALSE(fs::exists(copy_));
  const auto copies = [&] {
    return std::distance(fs::directory_iterator(elsewhere), fs::directory_iterator());
  };
  EXPECT_EQ(copies(), 1);
  change_source_secretly();
  EXPECT_EQ(read_value(), 5);

  fs::create_directories(folder_ / "other");
  const std::string twin = (folder_ / "other" / "a.mtx").string();
  fs::copy_file(source_, twin);
  fs::last_write_time(twin, fs::last_write_time(source_));
  EXPECT_EQ(loops::read_matrix_cached<float>(twin).values[0], 9) << "two files share a copy";
  EXPECT_EQ(copies(), 2);
}

// Else the answer would hang on a file that nobody sees.
TEST_F(matrix_cache, limits_hold_for_a_copy_too) {
  write_source("5");
  EXPECT_EQ(read_value(), 5);
  EXPECT_TRUE(fs::exists(copy_));
  loops::matrix_market::limits few;
  few.rows_always = 2;
  few.rows_per_entry = 2;
  support::expect_error(loops::errc::parse, "3 rows for 1 entries", [&] {
    static_cast<void>(loops::read_matrix_cached<float>(source_, loops::default_host_memory(), few));
  });
  few.rows_per_entry = 3;
  EXPECT_EQ(
      (loops::read_matrix_cached<float>(source_, loops::default_host_memory(), few).values[0]), 5);
}

TEST_F(matrix_cache, errors_of_the_text_come_through) {
  EXPECT_THROW(static_cast<void>(loops::read_matrix_cached<float>("/nonexistent/a.mtx")),
               loops::error);
  write_source("nan");
  EXPECT_THROW(static_cast<void>(loops::read_matrix_cached<float>(source_)), loops::error);
  EXPECT_FALSE(fs::exists(copy_));
}

}  // namespace
