// SPDX-License-Identifier: Apache-2.0
/// Peers in a wave: exactly the lanes of the group that hold the same key.
#include "loops/collective/peers.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr int bits = 3;
LOOPS_HD int key_of(int lane) {
  return (lane * lane + lane / 5) % 9 - 1;
}

struct seen {
  std::uint64_t group, peers;
};
struct look {
  seen* out;
  int lanes;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, lanes);
    const auto members = static_cast<std::uint64_t>(loops::lanes_of(g));
    out[block.lane()] = {
        members, static_cast<std::uint64_t>(loops::peers_of(g, key_of(block.lane()), bits))};
  }
};

template <class Exec>
class peers : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(peers, support::executors, support::executor_name);

TYPED_TEST(peers, are_the_lanes_of_the_group_with_the_same_key) {
  using block = typename TypeParam::template block<loops::shape<128, 1>>;
  for (const auto& v : this->variants())
    for (int lanes = 1; lanes <= block::wave; lanes *= 2) {
      loops::array<seen> out(block::threads, v.exec.memory());
      v.exec.template launch<loops::shape<128, 1>>(1, look{out.data(), lanes});
      const std::vector<seen> got = out.to_vector();
      for (int l = 0; l < block::threads; ++l) {
        SCOPED_TRACE(v.name + ", lane " + std::to_string(l) + " of groups of " +
                     std::to_string(lanes));
        seen wanted{};
        const int wave = l / block::wave * block::wave;
        for (int i = wave; i < wave + block::wave; ++i) {
          if (i / lanes != l / lanes) continue;
          wanted.group |= std::uint64_t{1} << (i - wave);
          if (key_of(l) >= 0 && key_of(i) == key_of(l))
            wanted.peers |= std::uint64_t{1} << (i - wave);
        }
        ASSERT_EQ(got[static_cast<std::size_t>(l)].group, wanted.group);
        ASSERT_EQ(got[static_cast<std::size_t>(l)].peers, wanted.peers);
      }
    }
}

}  // namespace
