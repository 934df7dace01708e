// SPDX-License-Identifier: Apache-2.0
/// Both buffers are passed over in full, whatever the blocks; nothing where there is no cache.
#include "loops/execution/cache_flush.hpp"

#include "loops/execution/bandwidth.hpp"
#include "support/executors.hpp"

#include <vector>

namespace {

using namespace loops;

template <class Exec>
class cache_flush_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(cache_flush_on, support::executors, support::executor_name);

TYPED_TEST(cache_flush_on, writes_and_copies_every_element) {
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    const auto& exec = v.exec;
    for (const std::size_t count : {1U, 255U, 256U, 2049U, 70000U}) {
      array<detail::quad> to(count + 1, exec.memory());
      array<detail::quad> copy(count + 1, exec.memory());
      to.fill(0);
      copy.fill(0);
      const auto n = static_cast<std::int64_t>(count);
      detail::launch_flat(exec, detail::overwrite{to.data(), n, 7});
      detail::launch_flat(exec, detail::copy_flat{copy.data(), to.data(), n});
      const std::vector<detail::quad> got = copy.to_vector();
      for (std::size_t i = 0; i <= count; ++i)
        for (const std::uint32_t word : got[i].at) ASSERT_EQ(word, i < count ? 7U : 0U) << i;
    }
  }
}

TYPED_TEST(cache_flush_on, reads_to_the_last_element) {
  const auto exec = this->any();
  constexpr std::size_t count = 5000;
  std::vector<detail::quad> host(count, detail::quad{});
  array<std::uint32_t> never(1, exec.memory());
  for (const bool found : {false, true}) {
    // One lane of many sees all ones: in the last element.
    host.back() = found ? detail::quad{{~0U, 0, 0, 0}} : detail::quad{};
    const array<detail::quad> from(host, exec.memory());
    never.fill(0);
    detail::launch_flat(exec, detail::read_through{from.data(), count, never.data()});
    EXPECT_EQ(never.to_vector()[0] != 0, found);
  }
}

TYPED_TEST(cache_flush_on, is_nothing_for_nothing) {
  const auto exec = this->any();
  cache_flush flush(exec, 0);
  flush();
  EXPECT_EQ(flush.bytes(), 0U);
  cache_flush small(exec, 4096);
  small();
  small();
  EXPECT_EQ(small.bytes(), 4096U);
  exec.synchronize();
}

TYPED_TEST(cache_flush_on, copies_and_reads_at_some_rate) {
  const auto exec = this->any();
  stopwatch<TypeParam> clock(exec);
  EXPECT_GT(copy_bandwidth(exec, clock, 1 << 16), 0);
  EXPECT_GT(read_bandwidth(exec, clock, 1 << 16), 0);
}

}  // namespace
