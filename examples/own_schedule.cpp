// SPDX-License-Identifier: Apache-2.0
/// A schedule of one's own: what is cut, who takes a cut, in which order.
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

/// Chunks of consecutive tiles, taken by whichever block is free.
struct tile_chunks {
  std::int64_t tiles = 64;  ///< tiles per chunk
  static constexpr const char* name() { return "tile_chunks"; }
  constexpr auto compose() const {
    return loops::composed<loops::measure::tiles, loops::worker::block, loops::order::arrival>{
        {}, tiles};
  }
};

static_assert(loops::schedule_like<tile_chunks>);

int main() {
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>("rmat:scale=12,edges=8").to(exec.memory());
  loops::array<std::int64_t> degrees(static_cast<std::size_t>(a.rows), exec.memory());
  std::int64_t* degree = degrees.data();

  // Wherever a schedule of the library goes, this one goes.
  loops::reduce_tiles<std::int64_t>(
      exec, tile_chunks{128}, rows_of(a.view()), [=] LOOPS_FN(auto) { return std::int64_t{1}; },
      loops::plus{}, [=] LOOPS_FN(auto row, auto count) { degree[row] = count; });

  std::int64_t total = 0;
  for (const std::int64_t d : degrees.to_vector()) total += d;
  std::printf("%d rows hold %lld of %d nonzeros\n", a.rows, static_cast<long long>(total),
              a.nonzeros());
  return total == a.nonzeros() ? 0 : 1;
}
