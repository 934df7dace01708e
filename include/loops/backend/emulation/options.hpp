// SPDX-License-Identifier: Apache-2.0
/// How the emulation runs a kernel: in which order, how many blocks at once, with what limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loops {

namespace emulation {

/// Who goes first among those that may run.
enum class order {
  up,      ///< lowest first
  down,    ///< highest first; lanes only
  seeded,  ///< drawn from the seed, anew after every barrier
};

}  // namespace emulation

/// The knobs of the emulation. The same options and the same kernel run the same way every time.
struct emulation_options {
  emulation::order lanes = emulation::order::up;  ///< lanes between two barriers
  emulation::order blocks =
      emulation::order::up;  ///< `seeded` only where no block waits for another
  std::uint64_t seed = 1;
  int residency = 4;                     ///< blocks in flight at once, all on the calling thread
  bool poison = true;                    ///< fill shared storage before each block …
  unsigned char poison_byte = 0xCD;      ///< … with this; 0xFF makes floating-point NaNs
  std::size_t stack_bytes = 256 * 1024;  ///< per lane; touched pages cost memory, the rest does not
  std::size_t shared_bytes = 64 * 1024;  ///< largest storage a kernel may have
  std::int64_t patience = 10'000;        ///< rounds of fruitless `relax` before the launch fails
  std::int64_t spin_limit = 50'000'000;  ///< acquire loads without `relax` before it fails

  /// The defaults, changed by LOOPS_EMULATION_ORDER and LOOPS_EMULATION_BLOCK_ORDER (up, down,
  /// seeded), LOOPS_EMULATION_SEED, _RESIDENCY, _POISON (off or a byte), _STACK, _SHARED (bytes)
  /// and _PATIENCE. Throws: on a value that means nothing, naming the variable.
  [[nodiscard]] static emulation_options from_environment();
  /// The set a test should pass under: every lane order, one and several resident blocks, both
  /// poisons. `seeds` is how many seeded ones there are, starting at `seed`.
  [[nodiscard]] static std::vector<emulation_options> sweep(int seeds = 2, std::uint64_t seed = 1);
  /// Throws: invalid_argument where a launch under these options cannot be meant.
  void check() const;
  /// For failure messages: "lanes seeded, blocks up, seed 7, residency 4, poison 0xcd".
  [[nodiscard]] std::string to_string() const;
};

}  // namespace loops
