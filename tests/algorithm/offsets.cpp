// SPDX-License-Identifier: Apache-2.0
/// Offsets that are none of a work's are refused by whoever can see them, and hang nobody else.
#include "loops/algorithm/offsets.hpp"

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/noted.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/sorted_keys.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace {

using loops::errc;
using support::expect_error;

/// Offsets that no plan reads when it is made, as those on a GPU.
struct unseen {
  const std::int64_t* ends;
  std::int64_t count;
  std::int64_t said;
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return count; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return said; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const { return ends[t]; }
};

struct one {
  LOOPS_HD float operator()(std::int64_t) const { return 1; }
};
/// Counts who comes to an atom below `atoms`, or of a tile below `tiles`, and who to others.
struct counted {
  std::int64_t tiles;
  std::int64_t atoms;
  int* inside;
  int* outside;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t a) const {
    support::count_up(t >= 0 && t < tiles && a >= 0 && a < atoms ? inside : outside);
  }
  LOOPS_HD float operator()(std::int64_t a) const {
    (*this)(0, a);
    return 1;
  }
};
struct store {
  float* out;
  LOOPS_HD void operator()(std::int64_t t, float v) const { out[t] = v; }
};
/// Columns that may be asked for of atoms below `atoms` only.
struct fenced {
  std::int64_t atoms;
  int* outside;
  LOOPS_HD std::int64_t operator()(std::int64_t a) const {
    if (a < 0 || a >= atoms) support::count_up(outside);
    return a;
  }
};

struct counted_by_tile {
  counted map;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t t, loops::atom_range atoms, const Group& g) const {
    for (std::int64_t a = atoms.first + g.rank(); a < atoms.last; a += g.size()) map(t, a);
  }
};

std::vector<std::int64_t> of_seven(std::int64_t tiles) {
  std::vector<std::int64_t> ends;
  for (std::int64_t t = 0; t <= tiles; ++t) ends.push_back(7 * t);
  return ends;
}

/// Memory of the host that claims to be out of the CPU's reach, as that of a GPU.
class far_memory final : public loops::memory {
 public:
  void* allocate(std::size_t bytes) override { return base_->allocate(bytes); }
  void deallocate(void* p, std::size_t bytes) noexcept override { base_->deallocate(p, bytes); }
  void upload(void* to, const void* from, std::size_t n) override { base_->upload(to, from, n); }
  void download(void* to, const void* from, std::size_t n) override {
    base_->download(to, from, n);
  }
  void fill(void* to, int byte, std::size_t n) override { base_->fill(to, byte, n); }
  [[nodiscard]] bool on_host() const noexcept override { return false; }

 private:
  std::shared_ptr<loops::memory> base_ = loops::default_host_memory();
};

/// An executor whose plans do not read offsets when they are made.
template <class Exec>
struct far : Exec {
  explicit far(const Exec& exec)
      : Exec(exec),
        where(exec.memory()->on_host() ? std::make_shared<far_memory>() : exec.memory()) {}
  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const { return where; }
  std::shared_ptr<loops::memory> where;
};

template <class Exec>
class offsets : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(offsets, support::executors, support::executor_name);

TYPED_TEST(offsets, that_end_elsewhere_hang_no_schedule_that_cuts_tiles) {
  constexpr std::int64_t tiles = 3000;
  const far<TypeParam> exec(this->any());
  const loops::array<std::int64_t> ends(of_seven(tiles), exec.memory());
  loops::array<float> out(tiles, exec.memory());
  loops::array<int> calls(2, exec.memory());
  calls.fill(0);
  const counted map{tiles, 7 * tiles, calls.data(), calls.data() + 1};
  for (const std::int64_t said : {std::int64_t{0}, 3 * tiles, 20 * tiles})
    for (const support::named_point& p : support::all_points()) {
      SCOPED_TRACE(p.name + ", " + std::to_string(said) + " atoms");
      std::visit(
          [&]<class Schedule>(const Schedule& s) {
            if constexpr (decltype(s.compose())::measure_type::splits_tiles) {
              using shape = loops::shape<64, 3>;
              using plan_type = loops::tile_plan<far<TypeParam>, Schedule, unseen, float, shape>;
              const unseen w{ends.data(), tiles, said};
              if constexpr (plan_type::bound_type::long_first) {  // its plan looks
                expect_error(errc::invalid_argument, "offsets", [&] { plan_type(exec, s, w); });
                return;
              }
              const plan_type plan(exec, s, w);
              loops::reduce_tiles(plan, one{}, loops::plus{}, store{out.data()});
              loops::for_each_atom(plan, map);
              exec.synchronize();
              EXPECT_EQ(calls.to_vector(), (std::vector<int>{0, 0}));
            }
          },
          p.schedule);
    }
}

TYPED_TEST(offsets, that_end_elsewhere_leave_atoms_alone_that_are_counted) {
  const far<TypeParam> exec(this->any());
  const loops::array<int> ends(std::vector<int>{0, 2, 5}, exec.memory());
  loops::array<float> out(2, exec.memory());
  loops::array<int> calls(2, exec.memory());
  calls.fill(0);
  const auto visit = [&](const auto& schedule, std::int64_t tiles, std::int64_t said) {
    const counted map{tiles, ends.to_vector()[static_cast<std::size_t>(tiles)], calls.data(),
                      calls.data() + 1};
    const loops::segments<int> w(ends.data(), tiles, said);
    const auto plan = loops::plan<float>(exec, schedule, w);
    out.fill(0xff);
    loops::reduce_tiles(plan, one{}, loops::plus{}, store{out.data()});
    loops::for_each_atom(plan, map);
    loops::for_each_tile(plan, counted_by_tile{map});
    exec.synchronize();
    return calls.to_vector();
  };
  for (const std::int64_t tiles : {1, 2})
    for (const std::int64_t said : {1, 6, 600}) {
      SCOPED_TRACE(std::to_string(tiles) + " tiles, " + std::to_string(said) + " atoms");
      EXPECT_EQ(visit(loops::schedule::nonzero_split{}, tiles, said), (std::vector<int>{0, 0}));
      EXPECT_TRUE(std::isnan(out.to_vector()[0])) << "nothing is emitted";
      EXPECT_EQ(visit(loops::schedule::wide_split{}, tiles, said), (std::vector<int>{0, 0}));
      EXPECT_TRUE(std::isnan(out.to_vector()[0])) << "nothing is emitted";
    }
  EXPECT_EQ(visit(loops::schedule::nonzero_split{}, 2, 5), (std::vector<int>{10, 0}));
}

TYPED_TEST(offsets, that_end_elsewhere_are_found_in_any_work) {
  const auto exec = this->any();
  const bool seen = exec.memory()->on_host();
  const auto plan = [&](const auto& w) {
    auto p = loops::plan<float>(exec, loops::schedule::merge_path{}, w);
    p.check();
  };
  const loops::array<int> ends(std::vector<int>{0, 2, 5}, exec.memory());
  const loops::array<int> tiles(std::vector<int>{0, 0, 1, 1, 7}, exec.memory());
  const loops::array<int> ids(std::vector<int>{0, 1}, exec.memory());
  using base = loops::segments<int>;
  using work = loops::noted<base, int>;
  using chosen = loops::selected<base, int, int>;
  plan(work(base(ends.data(), 2, 5), tiles.data()));
  plan(chosen(base(ends.data(), 2, 5), ids.data(), ends.data(), 2, 5));
  plan(loops::sorted_keys<int>(tiles.data(), 2, 4));
  expect_error(errc::invalid_argument, "go from 0 to 5",
               [&] { plan(work(base(ends.data(), 2, 4), tiles.data())); });
  expect_error(errc::invalid_argument, "go from 0 to 5",
               [&] { plan(chosen(base(ends.data(), 2, 5), ids.data(), ends.data(), 2, 4)); });
  // Keys that are no tiles.
  if (seen)
    expect_error(errc::invalid_argument, "go from 0 to 4, and not from 0 to its 5",
                 [&] { plan(loops::sorted_keys<int>(tiles.data(), 2, 5)); });
  // Keys that do not ascend.
  const loops::array<int> strewn(std::vector<int>{0, 1, 0, 1}, exec.memory());
  if (seen)
    expect_error(errc::invalid_argument, "sorted by row",
                 [&] { plan(loops::sorted_keys<int>(strewn.data(), 2, 4)); });
  expect_error(errc::invalid_argument, "offsets of a work are a null pointer",
               [&] { plan(work(base(nullptr, 2, 5), tiles.data())); });
  expect_error(errc::invalid_argument, "no notes",
               [&] { plan(work(base(ends.data(), 2, 5), nullptr)); });
  expect_error(errc::invalid_argument, "no notes",
               [&] { plan(loops::sorted_keys<int>(nullptr, 2, 5)); });
}

TYPED_TEST(offsets, that_end_elsewhere_are_found_by_a_check) {
  const auto exec = this->any();
  const loops::array<int> ends(std::vector<int>{0, 2, 5}, exec.memory());
  loops::array<float> out(2, exec.memory());
  for (const std::int64_t said : {0, 4, 6})
    expect_error(errc::invalid_argument, "go from 0 to 5, and not from 0 to its", [&] {
      auto plan = loops::plan<float>(exec, loops::schedule::merge_path{},
                                     loops::segments<int>(ends.data(), 2, said));
      loops::reduce_tiles(plan, one{}, loops::plus{}, store{out.data()});
      plan.check();
    });
  auto right = loops::plan<float>(exec, loops::schedule::merge_path{},
                                  loops::segments<int>(ends.data(), 2, 5));
  loops::reduce_tiles(right, one{}, loops::plus{}, store{out.data()});
  EXPECT_NO_THROW(right.check());
  EXPECT_EQ(out.to_vector(), (std::vector<float>{2, 3}));
}

TYPED_TEST(offsets, that_are_wrong_are_found_by_a_look) {
  constexpr std::int64_t tiles = 3000;
  const auto exec = this->any();
  loops::array<int> outside(1, exec.memory());
  outside.fill(0);
  const auto look = [&](std::vector<std::int64_t> host, std::int64_t said) {
    const loops::array<std::int64_t> ends(host, exec.memory());
    const fenced columns{said, outside.data()};
    return loops::gather_statistics(exec, unseen{ends.data(), tiles, said}, columns);
  };
  EXPECT_EQ(look(of_seven(tiles), 7 * tiles).longest, 7);
  for (const std::int64_t said : {std::int64_t{0}, 7 * tiles - 1, 7 * tiles + 1})
    expect_error(errc::invalid_argument, "do not go from 0 to its " + std::to_string(said),
                 [&] { look(of_seven(tiles), said); });
  for (const std::size_t at : {1u, 1500u, 2999u})
    for (const std::int64_t wrong : {std::int64_t{-5}, std::int64_t{1} << 40}) {
      std::vector<std::int64_t> ends = of_seven(tiles);
      ends[at] = wrong;
      expect_error(errc::invalid_argument, "decrease somewhere", [&] { look(ends, 7 * tiles); });
      EXPECT_THROW(static_cast<void>(loops::statistics_of(unseen{ends.data(), tiles, 7 * tiles})),
                   loops::error);
    }
  std::vector<std::int64_t> ends = of_seven(tiles);
  ends[0] = 1;
  expect_error(errc::invalid_argument, "go from 0", [&] { look(ends, 7 * tiles); });
  EXPECT_EQ(outside.to_vector().front(), 0) << "columns of atoms that there are none of";
}

}  // namespace
