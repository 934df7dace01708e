// SPDX-License-Identifier: Apache-2.0
/// Fetching from a local server that cuts, refuses, lies and sends what it should not.
#include "loops/io/fetch.hpp"

#include "loops/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "fetch_support.hpp"

namespace {

using namespace fetch_support;
using loops::errc;

/// A matrix with one stored zero and long enough to be cut.
std::string matrix() {
  std::string text = "%%MatrixMarket matrix coordinate real general\n% a comment\n400 300 900\n";
  for (int k = 0; k < 900; ++k)
    text += std::to_string(k % 400 + 1) + ' ' + std::to_string(k / 3 % 300 + 1) + ' ' +
            std::to_string(k * 0.37) + '\n';
  return text;
}

class fetching : public testing::Test {
 protected:
  void SetUp() override {
    if (server_.address().empty())
      GTEST_SKIP() << "NOT TESTED: python3 is needed to serve the downloads";
    try {
      (void)get("plain", "Unreachable/x");
    } catch (const loops::error& e) {
      if (e.code() == errc::unsupported) GTEST_SKIP() << "NOT TESTED: " << e.message();
    }
    serve("Test", "matrix", matrix());
  }

  /// Puts GROUP/NAME.tar.gz on the server, as the collection packs it.
  void serve(const std::string& group, const std::string& name, const std::string& text) {
    put_archive(group, name,
                tar_member(name + "/readme.txt", "hello") +
                    tar_member(name + '/' + name + ".mtx", text) +
                    tar_member(name + '/' + name + "_b.mtx", "x") + tar_end());
  }
  void put_archive(const std::string& group, const std::string& name, const std::string& tar) {
    put(root_.path() / group / (name + ".tar.gz"), gzip(tar));
  }

  loops::fetch_result get(const std::string& fault, const std::string& name,
                          loops::fetch_options options = {}) {
    options.base_url = server_.address() + '/' + fault;
    options.pause = std::chrono::milliseconds(1);
    return loops::fetch(name, target_.path(), options);
  }

  void refused(const std::string& fault, const std::string& name, errc code,
               const std::string& part, loops::fetch_options options = {}) {
    SCOPED_TRACE(fault + ' ' + name);
    try {
      (void)get(fault, name, options);
      ADD_FAILURE() << "no error; expected one with: " << part;
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      EXPECT_NE(e.message().find(part), std::string::npos) << e.message();
    }
    EXPECT_FALSE(fs::exists(target_.path() / (name + ".mtx.gz")));
    EXPECT_FALSE(fs::exists(target_.path() / (name + ".new.mtx.gz")));
  }

  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& f : fs::recursive_directory_iterator(target_.path()))
      if (f.is_regular_file()) out.push_back(fs::relative(f.path(), target_.path()).string());
    std::sort(out.begin(), out.end());
    return out;
  }

  folder root_, target_;
  server server_{root_.path()};
};

TEST_F(fetching, leaves_the_matrix_and_what_was_learned) {
  std::map<std::string, int> stages;
  loops::fetch_options options;
  options.progress = [&](const loops::fetch_progress& p) {
    ++stages[std::string(p.stage)];
    EXPECT_LE(p.done, p.total);
  };
  const auto result = get("plain", "Test/matrix", options);
  EXPECT_TRUE(result.downloaded);
  EXPECT_EQ(result.path, target_.path() / "Test" / "matrix.mtx.gz");
  EXPECT_EQ(result.facts.rows, 400);
  EXPECT_EQ(result.facts.cols, 300);
  EXPECT_EQ(result.facts.nonzeros, 900);
  EXPECT_EQ(loops::read_matrix_market<float>(result.path.string()).nonzeros(), 900);
  EXPECT_EQ(files(), (std::vector<std::string>{"Test/matrix.mtx.gz", "suitesparse.lock"}));
  EXPECT_EQ(stages.size(), 3U);
  const auto lock = loops::parse_catalogue(bytes_of(target_.path() / "suitesparse.lock"));
  ASSERT_EQ(lock.size(), 1U);
  EXPECT_EQ(lock[0].fingerprint, result.facts.fingerprint);
}

TEST_F(fetching, fetches_once) {
  (void)get("plain", "Test/matrix");
  const auto before = server_.requests().size();
  const auto again = get("plain", "Test/matrix");
  EXPECT_FALSE(again.downloaded);
  EXPECT_EQ(again.facts.nonzeros, 900);
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(fetching, can_keep_the_text) {
  loops::fetch_options options;
  options.compress = false;
  EXPECT_EQ(bytes_of(get("plain", "Test/matrix", options).path), matrix());
}

TEST_F(fetching, goes_on_where_it_was_cut) {
  const auto archive = bytes_of(root_.path() / "Test" / "matrix.tar.gz");
  loops::fetch_options options;
  options.attempts = 100;
  (void)get("cut1000", "Test/matrix", options);
  std::size_t expected = 0;
  for (const auto& r : server_.requests()) {
    if (r[0].find("matrix") == std::string::npos) continue;
    EXPECT_EQ(r[1], expected ? "bytes=" + std::to_string(expected) + "-" : "-");
    expected += 1000;
  }
  EXPECT_GE(expected, archive.size());
  EXPECT_LT(expected, archive.size() + 1000);
}

TEST_F(fetching, goes_on_in_another_run) {
  loops::fetch_options options;
  options.attempts = 2;
  refused("cut1000", "Test/matrix", errc::io, "what has arrived is kept", options);
  EXPECT_EQ(fs::file_size(target_.path() / "Test/matrix.tar.gz.part"), 2000U);
  (void)get("plain", "Test/matrix");
  EXPECT_EQ(server_.requests().back()[1], "bytes=2000-");
  EXPECT_EQ(server_.requests().back()[2], "206");
}

TEST_F(fetching, starts_over_when_the_server_cannot_resume) {
  put(target_.path() / "Test/matrix.tar.gz.part", "the beginning of something else");
  EXPECT_EQ(get("norange", "Test/matrix").facts.nonzeros, 900);
}

TEST_F(fetching, takes_a_part_that_is_complete) {
  const auto archive = bytes_of(root_.path() / "Test" / "matrix.tar.gz");
  put(target_.path() / "Test/matrix.tar.gz.part", archive);
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
  EXPECT_EQ(server_.requests().back()[2], "416");
}

TEST_F(fetching, drops_a_part_that_is_too_long) {
  put(target_.path() / "Test/matrix.tar.gz.part", std::string(1 << 20, 'x'));
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
}

TEST_F(fetching, drops_a_part_of_another_file) {
  put(target_.path() / "Test/matrix.tar.gz.part", std::string(1000, 'x'));
  refused("plain", "Test/matrix", errc::parse, "fetch it again");
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
}

TEST_F(fetching, waits_out_a_busy_server) {
  EXPECT_EQ(get("error3", "Test/matrix").facts.nonzeros, 900);
  loops::fetch_options options;
  options.attempts = 3;
  refused("error9", "Test/other", errc::io, "HTTP 503", options);
}

TEST_F(fetching, follows_redirections) {
  EXPECT_EQ(get("redirect", "Test/matrix").facts.nonzeros, 900);
}

TEST_F(fetching, says_what_is_not_there) {
  const auto before = server_.requests().size();
  refused("plain", "Test/nothing", errc::invalid_argument, "check the group and the name");
  EXPECT_EQ(server_.requests().size(), before + 1);  // asking again would not help
  EXPECT_TRUE(fs::is_empty(target_.path()));
}

TEST_F(fetching, refuses_what_is_no_archive) {
  refused("page", "Test/matrix", errc::parse, "is not gzipped");
  loops::fetch_options options;
  options.attempts = 1;
  refused("empty", "Test/matrix", errc::io, "empty", options);
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(fetching, an_empty_answer_ends_no_part) {
  const auto part = bytes_of(root_.path() / "Test/matrix.tar.gz").substr(0, 500);
  put(target_.path() / "Test/matrix.tar.gz.part", part);
  loops::fetch_options options;
  options.attempts = 1;
  refused("empty", "Test/matrix", errc::io, "the answer is empty", options);
  EXPECT_EQ(bytes_of(target_.path() / "Test/matrix.tar.gz.part"), part);
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
  EXPECT_EQ(server_.requests().back()[1], "bytes=500-");
}

TEST_F(fetching, refuses_a_range_it_did_not_ask_for) {
  put(target_.path() / "Test/matrix.tar.gz.part",
      bytes_of(root_.path() / "Test/matrix.tar.gz").substr(0, 500));
  refused("wrong", "Test/matrix", errc::io, "another part");
}

TEST_F(fetching, refuses_damage_wherever_it_is) {
  const auto good = bytes_of(root_.path() / "Test" / "matrix.tar.gz");
  for (const std::size_t at : {good.size() / 4, good.size() / 2, good.size() - 6}) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    put(root_.path() / "Test/damaged.tar.gz", bad);
    refused("plain", "Test/damaged", errc::parse, "fetch it again");
  }
  put(root_.path() / "Test/damaged.tar.gz", good.substr(0, good.size() - 9));
  refused("plain", "Test/damaged", errc::parse, "fetch it again");
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(fetching, refuses_another_matrix) {
  // The catalogue knows mycielskian4: right numbers in a wrong pattern, then wrong numbers.
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n11 11 40\n";
  for (int k = 0; k < 40; ++k)
    text += std::to_string(k / 4 + 1) + ' ' + std::to_string(k % 4 + 1) + '\n';
  serve("Mycielski", "mycielskian4", text);
  refused("plain", "mycielskian4", errc::parse, "pattern");
  serve("Mycielski", "mycielskian4",
        "%%MatrixMarket matrix coordinate pattern general\n11 11 1\n1 1\n");
  refused("plain", "mycielskian4", errc::parse, "the file has 1 nonzeros, the catalogue says 40");
  serve("Mycielski", "mycielskian4",
        "%%MatrixMarket matrix coordinate pattern general\n12 11 1\n1 1\n");
  refused("plain", "mycielskian4", errc::parse, "the file has 12 rows, the catalogue says 11");
  serve("Mycielski", "mycielskian4", "not a matrix");
  refused("plain", "mycielskian4", errc::parse, "mycielskian4");
  loops::fetch_options trusting;
  trusting.verify = false;
  EXPECT_EQ(bytes_of(target_.path() / "suitesparse.lock"), "");
  EXPECT_TRUE(get("plain", "mycielskian4", trusting).downloaded);
}

TEST_F(fetching, later_fetches_must_agree_with_the_first) {
  fs::remove(get("plain", "Test/matrix").path);
  auto other = matrix();
  other.replace(other.rfind("\n", other.size() - 2) + 1, 3, "399");
  serve("Test", "matrix", other);
  refused("plain", "Test/matrix", errc::parse, "suitesparse.lock");
  serve("Test", "matrix", matrix());
  EXPECT_TRUE(get("plain", "Test/matrix").downloaded);
}

TEST_F(fetching, checks_what_was_put_there_by_hand) {
  put(target_.path() / "Test/matrix.mtx", matrix());
  const auto result = get("plain", "Test/matrix");
  EXPECT_FALSE(result.downloaded);
  EXPECT_EQ(result.facts.nonzeros, 900);
  EXPECT_TRUE(fs::exists(target_.path() / "suitesparse.lock"));
}

TEST_F(fetching, several_matrices_at_once_are_all_recorded) {
  constexpr int several = 24;
  for (int i = 0; i < several; ++i) serve("Test", "matrix_" + std::to_string(i), matrix());
  std::vector<std::string> failures(several);
  std::vector<std::thread> threads;
  for (int i = 0; i < several; ++i)
    threads.emplace_back([this, i, &failures] {
      try {
        (void)get("plain", "Test/matrix_" + std::to_string(i));
      } catch (const loops::error& e) {
        failures[static_cast<std::size_t>(i)] = e.message();
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(failures, std::vector<std::string>(several));
  EXPECT_EQ(loops::parse_catalogue(bytes_of(target_.path() / "suitesparse.lock")).size(),
            static_cast<std::size_t>(several));
}

TEST_F(fetching, a_damaged_lock_is_named_and_costs_no_download) {
  put(target_.path() / "Test/matrix.tar.gz.part",
      bytes_of(root_.path() / "Test/matrix.tar.gz").substr(0, 500));
  put(target_.path() / "suitesparse.lock", "not a table\n");
  const auto before = server_.requests().size();
  refused("plain", "Test/matrix", errc::parse,
          (target_.path() / "suitesparse.lock").string() + ": catalogue, line 1");
  EXPECT_EQ(server_.requests().size(), before);
  EXPECT_TRUE(fs::exists(target_.path() / "Test/matrix.tar.gz.part"));
}

TEST_F(fetching, a_lock_that_cannot_be_read_is_not_replaced) {
  const auto lock = target_.path() / "suitesparse.lock";
  fs::create_directories(lock);
  const auto before = server_.requests().size();
  refused("plain", "Test/matrix", errc::io, lock.string() + ": it cannot be read");
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(fetching, what_a_limit_refuses_is_kept_and_serves_without_it) {
  loops::fetch_options small;
  small.largest = 1000;
  refused("plain", "Test/matrix", errc::parse, "more than 1000 bytes", small);
  EXPECT_TRUE(fs::exists(target_.path() / "Test/matrix.tar.gz.part"));
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
  EXPECT_EQ(server_.requests().back()[2], "416");
  // More rows than the reader believes for one entry.
  serve("Test", "tall", "%%MatrixMarket matrix coordinate pattern general\n99999999 1 1\n1 1\n");
  refused("plain", "Test/tall", errc::parse, "99999999 rows for 1 entries");
  loops::fetch_options trusting;
  trusting.verify = false;
  EXPECT_TRUE(get("plain", "Test/tall", trusting).downloaded);
  EXPECT_EQ(server_.requests().back()[2], "416");
}

TEST_F(fetching, says_why_a_file_cannot_be_written) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no device that is full";
  fs::create_directories(target_.path() / "Test");
  fs::create_symlink("/dev/full", target_.path() / "Test/matrix.new.mtx.gz");
  refused("plain", "Test/matrix", errc::io, "No space left on device");
  EXPECT_EQ(get("plain", "Test/matrix").facts.nonzeros, 900);
  EXPECT_EQ(server_.requests().back()[2], "416");  // the archive was kept
}

TEST_F(fetching, archives_are_not_trusted) {
  const auto mtx = matrix();
  const auto bad = [&](const std::string& tar, const std::string& part,
                       loops::fetch_options options = {}) {
    put_archive("Test", "bad", tar);
    refused("plain", "Test/bad", errc::parse, part, options);
  };
  const std::string name = "bad/bad.mtx";
  bad(tar_member("../../evil", "x") + tar_member("/tmp/evil", "x") + tar_end(),
      "there is no bad/bad.mtx");
  bad(tar_header(name, 0, '2') + tar_end(), "not a plain file");
  bad(tar_header(name, 0, '5') + tar_end(), "not a plain file");
  bad(tar_member(name, mtx) + tar_member(name, mtx) + tar_end(), "twice");
  bad(tar_header(name, 1 << 20) + "short", "ends in the middle");
  bad(tar_header(name, 0, '0', "99999999999") + tar_end(), "octal");
  bad(tar_header(name, 0, '0', std::string(12, '\xff')) + tar_end(), "too large");
  auto header = tar_header(name, 0);
  header[0] = 'B';
  bad(header + tar_end(), "checksum");
  bad(std::string(512, 'x'), "octal");
  bad(tar_member("long", std::string((1 << 20) + 1, 'n'), 'L') + tar_end(), "too long");
  for (const char* record :
       {"x", "5 a=b\n", "99 path=x\n", "9 pathxx\n", "0 a=b\n", "14 size=-1234\n"})
    bad(tar_member("pax", record, 'x') + tar_member(name, mtx) + tar_end(), "pax");
  loops::fetch_options small;
  small.largest = 1 << 20;
  bad(tar_member("bomb", std::string(2 << 20, '\0')) + tar_member(name, mtx) + tar_end(),
      "more than 1048576 bytes", small);
  bad(tar_member(name, mtx) + tar_end() + std::string(2 << 20, '\0'), "more than 1048576 bytes",
      small);
  std::string headers;
  for (int i = 0; i < 2000; ++i) headers += tar_member("g", pax("comment", "x"), 'g');
  bad(headers + tar_member(name, mtx) + tar_end(), "more than 1048576 bytes", small);
  EXPECT_FALSE(fs::exists(target_.path().parent_path() / "evil"));
}

TEST_F(fetching, archives_may_be_written_in_other_ways) {
  const auto mtx = matrix();
  const auto good = [&](const std::string& tar) {
    put_archive("Test", "good", tar);
    const auto result = get("plain", "Test/good");
    EXPECT_EQ(result.facts.nonzeros, 900);
    fs::remove(result.path);
  };
  const std::string name = "good/good.mtx";
  good(tar_member("./" + name, mtx) + tar_end());
  good(tar_member(name, mtx));  // without the end
  good(tar_member("whatever", name + '\0', 'L') + tar_member("cut", mtx) + tar_end());
  good(tar_member("pax", pax("mtime", "1.5") + pax("path", name), 'x') + tar_member("cut", mtx) +
       tar_end());
  good(tar_member("pax", pax("size", std::to_string(mtx.size())), 'x') + tar_header(name, 0) +
       tar_member("", mtx).substr(512) + tar_end());
  std::string binary(12, '\0');
  binary[0] = '\x80';
  binary[10] = static_cast<char>(mtx.size() >> 8);
  binary[11] = static_cast<char>(mtx.size());
  good(tar_header(name, 0, '0', binary) + tar_member("", mtx).substr(512) + tar_end());
  good(tar_header("good/", 0, '5') + tar_member(name, mtx) + tar_end());
}

TEST(fetch, unreachable_servers_and_strange_addresses_are_errors) {
  const folder target;
  loops::fetch_options options;
  options.attempts = 2;
  options.pause = std::chrono::milliseconds(1);
  for (const char* url : {"http://127.0.0.1:1", "file:///etc", "ftp://127.0.0.1"}) {
    options.base_url = url;
    try {
      (void)loops::fetch("Test/matrix", target.path(), options);
      ADD_FAILURE() << url;
    } catch (const loops::error& e) {
      if (e.code() == errc::unsupported) GTEST_SKIP() << "NOT TESTED: " << e.message();
      EXPECT_TRUE(e.code() == (url[0] == 'h' ? errc::io : errc::invalid_argument)) << e.what();
    }
  }
  EXPECT_THROW((void)loops::fetch("../../x", target.path(), options), loops::error);
}

}  // namespace
