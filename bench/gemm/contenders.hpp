// SPDX-License-Identifier: Apache-2.0
/// The ways to compute a product that are compared: the library's tiles and schedules, and peers.
#pragma once

#include "algorithms/gemm/select/model.hpp"
#include "loops/execution/executor.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gemm/operands.hpp"

namespace loops::bench {

/// A way to compute a product, ready to start.
class prepared {
 public:
  prepared() = default;
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;
  virtual ~prepared() = default;
  /// Enqueues the product of set `set` of the operands it was prepared for.
  virtual void start(int set) = 0;
  /// Waits, and throws when something went wrong on the device.
  virtual void check() {}
  /// Bytes of device memory held beside the operands.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

/// A tile of the library, as results name it: "128x256q4" (four steps in flight), "128x256c2x1q4"
/// (two blocks below each other share B), "64x64s4q8" (four blocks share the steps).
struct menu_line {
  std::string name;
  select::gemm_tiling tiling;
  int depth = 64;   ///< elements of k in a step
  int paired = 0;   ///< blocks that share a processor when all run; 0: not known
  int workers = 0;  ///< clusters that run at a time; 0: not known
};

/// The tiles that the library has for this product on this machine; none when it has none.
std::vector<menu_line> our_menu(const executor& exec, const product& what);

/// What stands for a plan under `schedule::automatic`, as users write it: it chooses from fewer
/// tiles than the menu has.
inline constexpr select::gemm_candidate automatic{-1, 0};
/// What stands for a plan under `schedule::measured`: the fastest of the likeliest of these tiles,
/// and of all tiles of the menu.
inline constexpr select::gemm_candidate measured{-2, 0};
inline constexpr select::gemm_candidate measured_menu{-3, 0};

/// Whether that is one of these instead of a tile.
constexpr bool is_plan(select::gemm_candidate c) {
  return c.config < 0;
}

/// The library's product with tile `choice.config` of that list, or one of these. The operands
/// outlive it. Throws: unsupported when this benchmark was built without the type and layouts, or
/// the tile cannot take these operands.
std::unique_ptr<prepared> prepare_ours(const operand_sets& sets, select::gemm_candidate choice);

/// The same for one type and layouts, compiled in a file of their own.
template <operand_kind Kind, bool ATurned, bool BTurned>
std::vector<menu_line> menu_of(const executor& exec);
template <operand_kind Kind, bool ATurned, bool BTurned>
std::unique_ptr<prepared> prepare_of(const operand_sets& sets, select::gemm_candidate choice);

/// A peer's product. What the peer itself would take comes first.
struct named_peer {
  std::string name;
  std::unique_ptr<prepared> product;
};

/// What other libraries offer for this product on this build's backend, up to `most` of them. The
/// operands outlive them. `fast_sums`: 8-bit products may be summed in fewer bits.
std::vector<named_peer> prepare_peers(const operand_sets& sets, int most, bool fast_sums);

}  // namespace loops::bench
