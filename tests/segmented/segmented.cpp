// SPDX-License-Identifier: Apache-2.0
/// Segmented reduction, arg-max and scan against serial loops.
#include "algorithms/segmented/segmented.hpp"

#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using loops::errc;
namespace schedule = loops::schedule;

/// Values with many equals, and some that are no numbers.
std::vector<float> values_for(const support::sizes& s) {
  std::vector<float> out;
  for (std::int64_t a = 0; a < s.atoms(); ++a)
    out.push_back(a % 17 == 3 ? std::numeric_limits<float>::quiet_NaN()
                              : static_cast<float>((a * 31 + a / 5) % 9 - 4));
  return out;
}

template <class Exec>
class segmented : public support::on_executor<Exec> {
 protected:
  /// Calls f(schedule, sizes, offsets, work) for some of both.
  template <class F>
  void everywhere(const F& f) {
    const auto exec = this->any();
    for (const support::sizes& s : support::few_sizes(300, 64)) {
      SCOPED_TRACE(s.name);
      const auto offsets = s.offsets<std::int32_t>();
      const loops::array<std::int32_t> device(offsets, exec.memory());
      const loops::segments<std::int32_t> w(device.data(), s.tiles(), s.atoms());
      f(schedule::merge_path{}, s, offsets, w);
      f(schedule::group_mapped{8}, s, offsets, w);
      if (this->HasFatalFailure()) return;
    }
  }
};
TYPED_TEST_SUITE(segmented, support::executors, support::executor_name);

TYPED_TEST(segmented, reduces) {
  const auto exec = this->any();
  this->everywhere([&](const auto& how, const auto& s, const auto& offsets, const auto& w) {
    std::vector<float> host(static_cast<std::size_t>(s.atoms()));
    for (std::size_t a = 0; a < host.size(); ++a) host[a] = static_cast<float>(a % 13) - 6;
    const loops::array<float> values(host, exec.memory());
    loops::array<float> out(static_cast<std::size_t>(s.tiles()), exec.memory());
    loops::segmented_reduce<float>(exec, how, w, values, out);
    const auto sums = out.to_vector();
    loops::segmented_reduce<float>(exec, how, w, values, out, loops::minimum{});
    const auto least = out.to_vector();
    for (std::size_t t = 0; t < sums.size(); ++t) {
      float sum = 0;
      float low = std::numeric_limits<float>::infinity();
      for (auto a = offsets[t]; a < offsets[t + 1]; ++a) {
        sum += host[static_cast<std::size_t>(a)];
        low = std::min(low, host[static_cast<std::size_t>(a)]);
      }
      ASSERT_EQ(sums[t], sum) << "segment " << t;
      ASSERT_EQ(least[t], low) << "segment " << t;
    }
  });
}

TYPED_TEST(segmented, finds_the_first_of_the_largest) {
  const auto exec = this->any();
  this->everywhere([&](const auto& how, const auto& s, const auto& offsets, const auto& w) {
    const auto host = values_for(s);
    const loops::array<float> values(host, exec.memory());
    loops::array<std::int64_t> out(static_cast<std::size_t>(s.tiles()), exec.memory());
    loops::segmented_arg_max<float>(exec, how, w, values, out);
    const auto got = out.to_vector();
    for (std::size_t t = 0; t < got.size(); ++t) {
      std::int64_t best = -1;
      for (auto a = offsets[t]; a < offsets[t + 1]; ++a) {
        const float v = host[static_cast<std::size_t>(a)];
        if (!std::isnan(v) && (best < 0 || v > host[static_cast<std::size_t>(best)])) best = a;
      }
      ASSERT_EQ(got[t], best) << "segment " << t;
    }
  });
}

TYPED_TEST(segmented, scans_in_place) {
  const auto exec = this->any();
  this->everywhere([&](const auto& how, const auto& s, const auto& offsets, const auto& w) {
    std::vector<std::int64_t> host(static_cast<std::size_t>(s.atoms()));
    for (std::size_t a = 0; a < host.size(); ++a)
      host[a] = static_cast<std::int64_t>(a * 7 % 13) - 6;
    loops::array<std::int64_t> inclusive(host, exec.memory());
    loops::array<std::int64_t> exclusive(host, exec.memory());
    loops::segmented_scan<std::int64_t, loops::scan::inclusive>(exec, how, w, inclusive, inclusive);
    loops::segmented_scan<std::int64_t, loops::scan::exclusive>(exec, how, w, exclusive, exclusive);
    const auto with = inclusive.to_vector();
    const auto without = exclusive.to_vector();
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      std::int64_t sum = 0;
      for (auto a = static_cast<std::size_t>(offsets[t]);
           a < static_cast<std::size_t>(offsets[t + 1]); ++a) {
        ASSERT_EQ(without[a], sum) << "atom " << a;
        sum += host[a];
        ASSERT_EQ(with[a], sum) << "atom " << a;
      }
    }
  });
}

/// One plan, used again: by what it was made for, and after it has been moved.
TYPED_TEST(segmented, plans_serve_again) {
  const auto exec = this->any();
  const auto check = [&](const auto& how) {
    const std::vector<std::uint32_t> offsets{0, 3, 3, 700, 4000};
    const loops::array<std::uint32_t> there(offsets, exec.memory());
    const loops::segments<std::uint32_t> w(there.data(), 4, 4000);
    using place = loops::arg_max_value<float, std::remove_cvref_t<decltype(w)>>;
    const auto sums = loops::plan<float>(exec, how, w);
    const auto places = loops::plan<place>(exec, how, w);
    auto first = loops::plan_scan<float>(exec, how, w);
    const auto scans = std::move(first);
    for (int use = 0; use < 3; ++use) {
      std::vector<float> host(4000);
      for (std::size_t a = 0; a < host.size(); ++a)
        host[a] = static_cast<float>((a * 7 + static_cast<std::size_t>(use)) % 11) - 5;
      const loops::array<float> values(host, exec.memory());
      loops::array<float> out(4, exec.memory());
      loops::array<std::int64_t> at(4, exec.memory());
      loops::array<float> scanned(4000, exec.memory());
      loops::segmented_reduce<float>(sums, values, out);
      loops::segmented_arg_max<float>(places, values, at);
      loops::segmented_scan<float, loops::scan::inclusive>(scans, values, scanned);
      const auto got = out.to_vector();
      const auto found = at.to_vector();
      const auto through = scanned.to_vector();
      for (std::size_t t = 0; t < 4; ++t) {
        float sum = 0;
        std::int64_t best = -1;
        for (std::size_t a = offsets[t]; a < offsets[t + 1]; ++a) {
          sum += host[a];
          ASSERT_EQ(through[a], sum) << "atom " << a << ", use " << use;
          if (best < 0 || host[a] > host[static_cast<std::size_t>(best)])
            best = static_cast<std::int64_t>(a);
        }
        ASSERT_EQ(got[t], sum) << "segment " << t << ", use " << use;
        ASSERT_EQ(found[t], best) << "segment " << t << ", use " << use;
      }
    }
  };
  check(schedule::merge_path{});
  check(schedule::group_mapped{4});
  check(schedule::automatic{});
}

TYPED_TEST(segmented, the_least_value_there_is_has_a_place) {
  const auto exec = this->any();
  constexpr float low = -std::numeric_limits<float>::infinity();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> host{none, low, low, none, none, low, -1};
  const loops::array<float> values(host, exec.memory());
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 3, 5, 7}, exec.memory());
  loops::array<std::int64_t> out(3, exec.memory());
  const loops::segments<std::int32_t> w(offsets.data(), 3, 7);
  loops::segmented_arg_max<float>(exec, schedule::merge_path{}, w, values, out);
  EXPECT_EQ(out.to_vector(), (std::vector<std::int64_t>{1, -1, 6}));
  const auto least = std::numeric_limits<int>::lowest();
  const loops::array<int> whole(std::vector<int>{0, least, least, least, least, 3, 3},
                                exec.memory());
  loops::segmented_arg_max<int>(exec, schedule::merge_path{}, w, whole, out);
  EXPECT_EQ(out.to_vector(), (std::vector<std::int64_t>{0, 3, 5}));
}

template <class T>
void expect_places_of_16_bits(const auto& exec) {
  constexpr float low = -std::numeric_limits<float>::infinity();
  const T none(std::numeric_limits<float>::quiet_NaN());
  const std::vector<T> host{none, T(-3), T(-1), T(-1), none, T(low), none, none};
  const loops::array<T> values(host, exec.memory());
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 4, 6, 8, 8}, exec.memory());
  loops::array<std::int64_t> out(4, exec.memory());
  const loops::segments<std::int32_t> w(offsets.data(), 4, 8);
  loops::segmented_arg_max<T>(exec, schedule::merge_path{}, w, values, out);
  EXPECT_EQ(out.to_vector(), (std::vector<std::int64_t>{2, 5, -1, -1}));
}

TYPED_TEST(segmented, the_largest_of_16_bit_values_have_places) {
  const auto exec = this->any();
  expect_places_of_16_bits<loops::half>(exec);
  expect_places_of_16_bits<loops::bfloat16>(exec);
}

TYPED_TEST(segmented, refuses_what_is_short) {
  const auto exec = this->any();
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 2, 5}, exec.memory());
  const loops::segments<std::int32_t> w(offsets.data(), 2, 5);
  loops::array<float> four(4, exec.memory());
  loops::array<float> one(1, exec.memory());
  loops::array<float> five(5, exec.memory());
  support::expect_error(errc::invalid_argument, "values has 4 elements, but 5", [&] {
    loops::segmented_reduce<float>(exec, schedule::merge_path{}, w, four, five);
  });
  support::expect_error(errc::invalid_argument, "out has 1 elements, but 2", [&] {
    loops::segmented_reduce<float>(exec, schedule::merge_path{}, w, five, one);
  });
}

TYPED_TEST(segmented, reduces_to_another_place_only) {
  const auto exec = this->any();
  const schedule::merge_path how;
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 2, 5}, exec.memory());
  const loops::segments<std::int32_t> w(offsets.data(), 2, 5);
  loops::array<float> five(5, exec.memory());
  loops::array<std::int64_t> places(5, exec.memory());
  const char* const words = "out begins where values does";
  support::expect_error(errc::invalid_argument, words,
                        [&] { loops::segmented_reduce<float>(exec, how, w, five, five); });
  support::expect_error(errc::invalid_argument, words, [&] {
    loops::segmented_arg_max<std::int64_t>(exec, how, w, places, places);
  });
}

TYPED_TEST(segmented, knows_a_selection_by_the_places_of_its_base) {
  const auto exec = this->any();
  const loops::uniform base(1000, 4);
  const auto chosen = loops::select_tiles(base, {998, 999}).to(exec.memory(), base);
  const auto w = chosen.view();
  std::vector<float> host(4000);
  for (std::size_t a = 0; a < host.size(); ++a) host[a] = static_cast<float>(a);
  const loops::array<float> values(host, exec.memory());
  loops::array<float> few(2, exec.memory());
  loops::array<std::int64_t> few_places(2, exec.memory());
  loops::array<float> eight(8, exec.memory());
  const schedule::merge_path how;
  using loops::scan;
  support::expect_error(errc::invalid_argument, "out has 2 elements, but 1000",
                        [&] { loops::segmented_reduce<float>(exec, how, w, values, few); });
  support::expect_error(errc::invalid_argument, "out has 2 elements, but 1000",
                        [&] { loops::segmented_arg_max<float>(exec, how, w, values, few_places); });
  support::expect_error(errc::invalid_argument, "values has 8 elements, but 4000",
                        [&] { loops::segmented_reduce<float>(exec, how, w, eight, few); });
  support::expect_error(errc::invalid_argument, "out has 8 elements, but 4000", [&] {
    loops::segmented_scan<float, scan::inclusive>(exec, how, w, values, eight);
  });

  loops::array<float> sums(1000, exec.memory());
  loops::array<std::int64_t> places(1000, exec.memory());
  loops::array<float> scanned(4000, exec.memory());
  sums.fill(0);
  places.fill(0);
  scanned.fill(0);
  loops::segmented_reduce<float>(exec, how, w, values, sums);
  loops::segmented_arg_max<float>(exec, how, w, values, places);
  loops::segmented_scan<float, scan::inclusive>(exec, how, w, values, scanned);
  std::vector<float> wanted(1000, 0);
  wanted[998] = 3992 + 3993 + 3994 + 3995;
  wanted[999] = 3996 + 3997 + 3998 + 3999;
  EXPECT_EQ(sums.to_vector(), wanted);
  EXPECT_EQ(places.to_vector()[998], 3995);
  EXPECT_EQ(places.to_vector()[997], 0);
  EXPECT_EQ(scanned.to_vector()[3991], 0);
  EXPECT_EQ(scanned.to_vector()[3995], wanted[998]);
  // Of nothing, nothing is needed.
  const auto none = loops::select_tiles(base, {});
  loops::segmented_reduce<float>(exec, how, none.to(exec.memory(), base).view(), values.data(),
                                 static_cast<float*>(nullptr));
}

}  // namespace
