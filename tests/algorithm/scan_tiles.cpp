// SPDX-License-Identifier: Apache-2.0
/// Scans over the atoms of tiles: every atom once, with what is before it, whatever the schedule.
#include "loops/algorithm/scan_tiles.hpp"

#include "loops/core/functional.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/split_k.hpp"
#include "loops/schedule/stream_k.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/words.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace {

using shape = loops::shape<64, 3>;

using support::chain;
using support::letter;
using support::long_word;
using support::word;

template <class Word>
struct found {
  std::int64_t tile;
  Word before, through;
};
template <class Word>
struct store {
  found<Word>* out;
  int* calls;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom, const Word& before,
                           const Word& through) const {
    out[atom] = {tile, before, through};
    support::count_up(calls + atom);
  }
};

using short_word = word<std::uint32_t>;

template <class Word, class Plan>
void check(const Plan& plan, const std::vector<std::int32_t>& offsets) {
  const auto atoms = static_cast<std::size_t>(offsets.back());
  loops::array<found<Word>> out(atoms, plan.executor().memory());
  loops::array<int> calls(atoms, plan.executor().memory());
  const auto [heads, tails] = plan.template parts<Word>();
  for (int run = 1; run <= 2; ++run) {
    // What memory happens to hold must not matter.
    if (heads)
      plan.executor().memory()->fill(
          heads, 0x5a,
          2 * sizeof *heads * static_cast<std::size_t>(plan.bound_schedule().slices_with_parts()));
    out.fill(0x5a);
    calls.fill(0);
    loops::scan_tiles<Word>(plan, letter<Word>{}, chain{}, store<Word>{out.data(), calls.data()});
    const auto got = out.to_vector();
    const auto called = calls.to_vector();
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      Word so_far{};
      for (auto a = offsets[t]; a < offsets[t + 1]; ++a) {
        const auto i = static_cast<std::size_t>(a);
        ASSERT_EQ(called[i], 1) << "atom " << a << ", run " << run;
        ASSERT_EQ(got[i].tile, static_cast<std::int64_t>(t)) << "atom " << a;
        ASSERT_TRUE(got[i].before == so_far) << "atom " << a << " of tile " << t << ", run " << run;
        so_far = chain{}(so_far, letter<Word>{}(a));
        ASSERT_TRUE(got[i].through == so_far)
            << "atom " << a << " of tile " << t << ", run " << run;
      }
    }
  }
}

template <class Word = short_word, class Exec, class Schedule>
void check(const Exec& exec, const Schedule& schedule, const support::sizes& s) {
  using work_type = loops::segments<std::int32_t>;
  const auto offsets = s.offsets<std::int32_t>();
  const loops::array<std::int32_t> device(offsets, exec.memory());
  const work_type work(device.data(), s.tiles(), s.atoms());
  check<Word>(loops::tile_plan<Exec, Schedule, work_type, Word, shape>(exec, schedule, work),
              offsets);
}

template <class Exec>
class scan_tiles : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(scan_tiles, support::executors, support::executor_name);

TYPED_TEST(scan_tiles, every_schedule_on_awkward_works) {
  const auto exec = this->any();
  const loops::machine m = exec.template describe<shape>();
  const std::int64_t capacity = static_cast<std::int64_t>(m.threads) * m.items;
  for (const support::sizes& s : support::few_sizes(capacity, m.threads))
    for (const support::named_point& p : support::all_points()) {
      SCOPED_TRACE(p.name + ", " + s.name);
      std::visit([&](const auto& one) { check(exec, one, s); }, p.schedule);
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(scan_tiles, pieces_and_shares_of_tiles) {
  const auto exec = this->any();
  const loops::machine m = exec.template describe<shape>();
  const std::int64_t capacity = static_cast<std::int64_t>(m.threads) * m.items;
  for (const support::sizes& s : support::few_sizes(capacity, m.threads)) {
    if (s.atoms() > 20'000 && m.threads > 1) continue;  // too many blocks for an emulation
    SCOPED_TRACE(s.name);
    for (const int pieces : {1, 3, 8}) check(exec, loops::schedule::split_k{pieces}, s);
    for (const int waves : {loops::schedule::stream_k::all, 1, 2})
      check(exec, loops::schedule::stream_k{.waves = waves, .processors = 3}, s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(scan_tiles, boundaries_of_slices) {
  const auto exec = this->any();
  const loops::machine m = exec.template describe<shape>();
  if (m.threads == 1) return;  // the host's slices are walked by one lane
  for (const support::sizes& s : support::awkward_sizes(m.threads * m.items, m.threads)) {
    SCOPED_TRACE(s.name);
    check(exec,
          support::point_of<loops::schedule::merge_path>{loops::schedule::merge_path{}.compose()},
          s);
    check(exec,
          support::point_of<loops::schedule::nonzero_split>{
              loops::schedule::nonzero_split{}.compose()},
          s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(scan_tiles, pieces_of_long_tiles_that_end_anywhere_in_a_block) {
  const auto exec = this->any();
  for (std::int64_t last = 1000; last <= 8000; last += 700) {
    const support::sizes s{"one long tile behind short ones", {3, 0, 5, 1500, 2, last}};
    SCOPED_TRACE(last);
    for (const int lanes : {1, 4}) check(exec, loops::schedule::long_first{lanes}, s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(scan_tiles, values_of_many_bytes) {
  const auto exec = this->any();
  const loops::machine m = exec.template describe<shape>();
  const auto all = [&]<class Word>(const Word&, const support::sizes& s) {
    check<Word>(exec, loops::schedule::merge_path{}, s);
    check<Word>(exec, loops::schedule::nonzero_split{}, s);
    check<Word>(exec, loops::schedule::long_first{4}, s);
    check<Word>(exec, loops::schedule::stream_k{.waves = 1, .processors = 3}, s);
  };
  for (const support::sizes& s : support::few_sizes(std::int64_t{m.threads} * m.items, m.threads)) {
    SCOPED_TRACE(s.name);
    all(word<std::uint64_t>{}, s);
    all(long_word{}, s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(scan_tiles, so_many_slices_that_their_tree_has_three_levels) {
  const auto exec = this->any();
  if (exec.template describe<shape>().threads == 1) return;
  // On a GPU, so many that a wave goes more than once over the boxes of the highest level.
  const bool on_gpu = support::executor_name::GetName<TypeParam>(0) == "gpu";
  const std::int64_t atoms = on_gpu ? 20'000'000 : 1'000'000;
  check(exec, loops::schedule::merge_path{}, {"one tile of many slices", {3, atoms, 7}});
}

TYPED_TEST(scan_tiles, one_tile_is_a_plain_scan) {
  const auto exec = this->any();
  constexpr std::int64_t n = 5000;
  loops::array<found<short_word>> out(n, exec.memory());
  loops::array<int> calls(n, exec.memory());
  calls.fill(0);
  loops::scan_tiles<short_word>(exec, loops::schedule::nonzero_split{}, loops::uniform(1, n),
                                letter<short_word>{}, chain{},
                                store<short_word>{out.data(), calls.data()});
  short_word so_far{};
  const auto got = out.to_vector();
  for (std::int64_t a = 0; a < n; ++a) {
    ASSERT_TRUE(got[static_cast<std::size_t>(a)].before == so_far) << "atom " << a;
    so_far = chain{}(so_far, letter<short_word>{}(a));
  }
}

}  // namespace
