// SPDX-License-Identifier: Apache-2.0
/// Marks tell the tile of every atom, and every tile that has some.
#include "algorithms/spmv/tile_marks.hpp"

#include "loops/work/segments.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

/// Asks for the tile of every atom.
struct tell_tiles {
  loops::spmv_detail::marks_view<std::int32_t> marks;
  std::int64_t* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t atom) const {
    to[atom] = marks.name(marks.number(atom));
  }
};

template <class Exec>
class tile_marks : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(tile_marks, support::executors, support::executor_name);

TYPED_TEST(tile_marks, tell_the_tile_of_every_atom) {
  const auto exec = this->any();
  for (const std::vector<std::int32_t>& offsets : {std::vector<std::int32_t>{0, 1},
                                                   {0, 300},
                                                   {0, 31, 32, 33, 64, 127, 128, 129, 200},
                                                   {0, 0, 0, 5, 5, 32, 32, 96, 97, 97},
                                                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
    const std::int64_t atoms = offsets.back();
    std::vector<std::int64_t> wanted;
    std::int64_t with_atoms = 0;
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      wanted.insert(wanted.end(), static_cast<std::size_t>(offsets[t + 1] - offsets[t]),
                    static_cast<std::int64_t>(t));
      if (offsets[t + 1] > offsets[t]) ++with_atoms;
    }
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::segments<std::int32_t> w(there.data(),
                                          static_cast<std::int64_t>(offsets.size()) - 1, atoms);
    loops::spmv_detail::tile_marks<std::int32_t> marks(exec, w);
    marks.name(exec, w);
    EXPECT_EQ(marks.marked(), with_atoms);
    loops::array<std::int64_t> told(static_cast<std::size_t>(atoms), exec.memory());
    loops::for_each_atom(exec, loops::schedule::nonzero_split{},
                         loops::segmented_detail::each_of(atoms),
                         tell_tiles{marks.view(), told.data()});
    EXPECT_EQ(told.to_vector(), wanted);
  }
}

}  // namespace
