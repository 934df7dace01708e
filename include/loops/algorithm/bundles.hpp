// SPDX-License-Identifier: Apache-2.0
/// An executor whose lanes are bundles, each lane of which takes its share of every value.
#pragma once

#include "loops/collective/bundle.hpp"
#include "loops/core/machine.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace loops {

/// A kernel that is told, before it runs, which share of every value its lane holds: it has
/// `take_share(share, copy)`.
template <class Kernel>
concept taken_in_shares = requires(Kernel k) {
  k.take_share(0, std::int64_t{0});
};

namespace detail {

/// Runs `kernel` over bundles; every member has a copy of it that knows its share.
template <class Kernel, int Width>
struct in_bundles {
  Kernel kernel;
  std::int64_t blocks;  ///< per copy of the grid

  static constexpr int wanted_lanes = Kernel::wanted_lanes;

  template <class Block>
  struct storage {
    typename Kernel::template storage<bundle_block<Block, Width>> of;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    bundle_block<Block, Width> bundle(block, blocks);
    Kernel mine = kernel;
    mine.take_share(bundle.share(), bundle.copy());
    mine(bundle, shared.of);
  }
};

}  // namespace detail

/// `Exec` seen through bundles of `Width` lanes: schedules count bundles where they count lanes,
/// and the grid holds `copies` copies of itself. Kernels that do not know shares run as on `Exec`.
template <class Exec, int Width>
class bundle_executor {
 public:
  /// `slice_lanes`: of as many lanes per processor are the kernels built that take slices; 0: as
  /// many as it holds. Throws: invalid_argument unless copies is positive.
  explicit bundle_executor(Exec exec, int copies = 1, int slice_lanes = 0)
      : exec_(std::move(exec)), copies_(copies), slice_lanes_(slice_lanes) {
    require(copies > 0, errc::invalid_argument, "a wide value has at least one share per lane");
  }

  template <class Shape>
  using block = bundle_block<typename Exec::template block<Shape>, Width>;

  /// Bundles for a tile of its own: one, or as many as it takes to occupy one in `share` of those
  /// that the machine `m` has room for, no more than half the atoms of the longest tile.
  static constexpr int for_a_tile(std::int64_t tiles, std::int64_t longest, const machine& m,
                                  int share = 3) {
    int bundles = 1;
    while (2 * bundles <= m.wave && share * tiles * bundles < m.threads * m.blocks &&
           longest >= 2 * bundles)
      bundles *= 2;
    return bundles;
  }

  /// Whether so many for each tile go through the longest one's atoms for much longer than all
  /// bundles of the machine take for all atoms, or a kernel takes to start.
  static constexpr bool too_few(int bundles, std::int64_t atoms, std::int64_t longest,
                                const machine& m) {
    constexpr std::int64_t start = 24;
    const std::int64_t fair = atoms / (m.threads * m.blocks);
    return longest / bundles > start + 4 * fair;
  }

  template <class Shape, class Kernel>
  void launch(std::int64_t blocks, const Kernel& kernel) const {
    if constexpr (taken_in_shares<Kernel>) {
      blocks = per_copy<Shape>(blocks);
      exec_.template launch<Shape>(blocks * copies_,
                                   detail::in_bundles<Kernel, Width>{kernel, blocks});
    } else {
      exec_.template launch<Shape>(blocks, kernel);
    }
  }
  template <class Shape, class Kernel>
  void launch_early(std::int64_t blocks, const Kernel& kernel) const {
    if constexpr (taken_in_shares<Kernel>) {
      blocks = per_copy<Shape>(blocks);
      exec_.template launch_early<Shape>(blocks * copies_,
                                         detail::in_bundles<Kernel, Width>{kernel, blocks});
    } else {
      exec_.template launch_early<Shape>(blocks, kernel);
    }
  }

  /// What a schedule sees: bundles, and as many resident blocks as one copy of the grid gets.
  /// `lanes`: not 0 for kernels that take slices.
  template <class Shape>
  [[nodiscard]] machine describe(int lanes = 0, std::size_t /*storage*/ = 0) const {
    machine m = exec_.template describe<Shape>(lanes > 0 ? slice_lanes_ : 0);
    m.threads /= Width;
    m.wave /= Width;
    m.blocks = m.blocks > copies_ ? m.blocks / copies_ : 1;
    // The copies of a CPU's block follow each other: what one reads should be there for the next.
    constexpr int least = 512;
    if (Exec::template block<Shape>::threads == 1 && m.items > least)
      m.fewest = m.items = std::max(m.items / copies_, least);
    return m;
  }

  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const { return exec_.memory(); }
  [[nodiscard]] const std::shared_ptr<loops::memory>& staging() const { return exec_.staging(); }
  void synchronize() const { exec_.synchronize(); }
  [[nodiscard]] int copies() const { return copies_; }
  [[nodiscard]] const Exec& base() const { return exec_; }

 private:
  /// As many as the copies together may have, and one at least. Kernels go round when they get
  /// fewer than they asked for.
  template <class Shape>
  [[nodiscard]] std::int64_t per_copy(std::int64_t blocks) const {
    const std::int64_t share = most_blocks(Exec::template block<Shape>::threads) / copies_;
    const std::int64_t most = share > 1 ? share : 1;
    return blocks < most ? blocks : most;
  }

  Exec exec_;
  int copies_;
  int slice_lanes_;
};

}  // namespace loops
