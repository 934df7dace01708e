// SPDX-License-Identifier: Apache-2.0
/// Matrices of the collection, where there are some: the catalogue knows them, the generators make
/// them. LOOPS_MATRICES names a folder of GROUP__NAME.mtx.gz; without it, ../shared/matrices is
/// looked for.
#include "loops/core/complex.hpp"
#include "loops/io/catalogue.hpp"
#include "loops/io/generate.hpp"
#include "loops/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace {

namespace fs = std::filesystem;

class collection : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("LOOPS_MATRICES");
    folder_ = given ? given : "../shared/matrices";
    if (!fs::is_directory(folder_))
      GTEST_SKIP() << "NOT TESTED: no folder " << folder_
                   << "; set LOOPS_MATRICES to one with GROUP__NAME.mtx.gz";
  }
  [[nodiscard]] fs::path file(const std::string& group, const std::string& name) const {
    return folder_ / (group + "__" + name + ".mtx.gz");
  }

  fs::path folder_;
};

TEST_F(collection, files_agree_with_the_catalogue) {
  int compared = 0;
  for (const auto& e : loops::catalogue()) {
    const auto path = file(e.group, e.name);
    if (!fs::exists(path)) continue;
    SCOPED_TRACE(path.filename().string());
    const auto a = loops::read_matrix_market<loops::complex<double>>(path.string());
    EXPECT_EQ(e.rows, a.rows);
    EXPECT_EQ(e.cols, a.cols);
    EXPECT_EQ(e.nonzeros, a.nonzeros());
    // Files from elsewhere may number their rows in another way; then the catalogue has none.
    if (!e.fingerprint) continue;
    EXPECT_EQ(*e.fingerprint, loops::fingerprint(a.view()));
    ++compared;
  }
  RecordProperty("compared", compared);
  if (compared == 0) GTEST_SKIP() << "NOT TESTED: " << folder_ << " has no matrix of the catalogue";
}

TEST_F(collection, generators_give_the_files_entry_for_entry) {
  const std::map<std::pair<std::string, std::string>, std::string> specs = {
      {{"Mycielski", "mycielskian8"}, "mycielskian:order=8"},
      {{"Mycielski", "mycielskian9"}, "mycielskian:order=9"},
      {{"JGD_Trefethen", "Trefethen_20b"}, "trefethen:rows=20,minor=1"},
      {{"JGD_Trefethen", "Trefethen_20000"}, "trefethen:rows=20000"}};
  int compared = 0;
  for (const auto& [name, spec] : specs) {
    const auto path = file(name.first, name.second);
    if (!fs::exists(path)) continue;
    const auto real = loops::read_matrix_market<double>(path.string());
    const auto made = loops::generate<double>(spec);
    ASSERT_EQ(loops::fingerprint(real.view()), loops::fingerprint(made.view())) << spec;
    EXPECT_TRUE(std::equal(real.values.begin(), real.values.end(), made.values.begin())) << spec;
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "NOT TESTED: " << folder_ << " has none of the families";
}

}  // namespace
