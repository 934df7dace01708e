// SPDX-License-Identifier: Apache-2.0
/// Groups of every size scan slices that begin and end anywhere, and say what they leave open.
#include "loops/algorithm/scan_neighbours.hpp"

#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using shape = loops::shape<64, 1>;
using work_type = loops::segments<std::int32_t>;

template <class Word>
struct found {
  std::int64_t tile;
  Word before, through;
};
template <class Word>
struct note {
  found<Word>* out;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom, const Word& before,
                           const Word& through) const {
    out[atom] = {tile, before, through};
  }
};

/// The first group of one block scans a slice; others keep it company.
template <class Word>
struct scan_one {
  work_type w;
  loops::slice range;
  int lanes;
  Word open;
  found<Word>* out;
  Word* left;
  template <class Block>
  using storage = loops::detail::neighbour_storage<Block, Word>;
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block> g(block, lanes);
    const loops::slice mine = g.index() == 0 ? range : loops::slice{};
    const Word behind = loops::detail::scan_neighbours(
        g, shared.scan, w, mine, support::letter<Word>{}, support::chain{}, note<Word>{out}, open);
    if (block.lane() == 0) *left = behind;
  }
};

template <class Word, class Exec>
void check(const Exec& exec, const std::vector<std::int32_t>& offsets, const loops::slice& range,
           int lanes) {
  const auto chain = support::chain{};
  const auto tiles = static_cast<std::int64_t>(offsets.size()) - 1;
  const loops::array<std::int32_t> there(offsets, exec.memory());
  loops::array<found<Word>> out(static_cast<std::size_t>(offsets.back()), exec.memory());
  loops::array<Word> left(1, exec.memory());
  out.fill(0x5a);
  const auto untouched = out.to_vector();
  Word open = support::letter<Word>{}(-7);
  exec.template launch<shape>(1, scan_one<Word>{work_type(there.data(), tiles, offsets.back()),
                                                range, lanes, open, out.data(), left.data()});
  const auto got = out.to_vector();
  std::int64_t tile = range.begin.tile;
  for (std::int64_t a = 0; a < offsets.back(); ++a) {
    const auto& at = got[static_cast<std::size_t>(a)];
    if (a < range.begin.atom || a >= range.end.atom) {
      ASSERT_EQ(at.tile, untouched[static_cast<std::size_t>(a)].tile) << "atom " << a;
      continue;
    }
    while (offsets[static_cast<std::size_t>(tile) + 1] <= a) ++tile;
    if (offsets[static_cast<std::size_t>(tile)] == a) open = Word{};
    ASSERT_EQ(at.tile, tile) << "atom " << a;
    ASSERT_TRUE(at.before == open) << "atom " << a;
    open = chain(open, support::letter<Word>{}(a));
    ASSERT_TRUE(at.through == open) << "atom " << a;
  }
  ASSERT_TRUE(left.to_vector().front() == open);
}

template <class Exec>
class scan_neighbours : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(scan_neighbours, support::executors, support::executor_name);

TYPED_TEST(scan_neighbours, of_slices_from_anywhere_to_anywhere) {
  const auto exec = this->any();
  const std::vector<std::int32_t> offsets{0, 3, 3, 4, 40, 40, 41, 700, 705};
  const int threads = exec.template describe<shape>().threads;
  for (const loops::slice& range : {loops::slice{{0, 1}, {8, 705}}, loops::slice{{3, 20}, {3, 30}},
                                    loops::slice{{6, 42}, {7, 700}}, loops::slice{{0, 2}, {6, 41}},
                                    loops::slice{{6, 50}, {6, 699}}, loops::slice{{2, 4}, {2, 4}}})
    for (int lanes = 1; lanes <= threads; lanes *= 2) {
      SCOPED_TRACE(lanes);
      check<support::word<std::uint16_t>>(exec, offsets, range, lanes);
      check<support::word<std::uint64_t>>(exec, offsets, range, lanes);
      check<support::long_word>(exec, offsets, range, lanes);
      if (this->HasFatalFailure()) return;
    }
}

}  // namespace
