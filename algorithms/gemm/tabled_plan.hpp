// SPDX-License-Identifier: Apache-2.0
/// A launch over tables: of many products, of all their tiles, and of where the steps of these
/// begin.
#pragma once

#include "loops/algorithm/run.hpp"
#include "loops/core/error.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace loops::gemm_detail {

/// What programs know of each product and of each tile, and where the steps of tiles begin.
template <class Record, class Tile>
struct group_tables {
  std::vector<Record> records;
  std::vector<Tile> tiles;
  std::vector<std::int64_t> offsets{0};

  /// Throws: overflow, when tiles cannot be counted with so many more.
  void check_room(std::int64_t more) const {
    if (more > INT32_MAX - static_cast<std::int64_t>(tiles.size()))
      throw error(errc::overflow, "the groups have 2^31 tiles or more: compute them in parts");
  }
};

/// The tables that `make` makes of so many products. Throws: what `make` throws; out_of_memory
/// where the host has no room for them.
template <class Make>
auto tables_of(std::size_t groups, const Make& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw error(errc::out_of_memory, "there is no room for the tables of " +
                                         std::to_string(groups) + " groups: compute them in parts");
  }
}

/// A program's launch over tables in the executor's memory.
template <class Exec, class Schedule, class Program, class Record, class Tile>
class tabled_plan {
 public:
  using work_type = segments<std::int64_t>;
  using plan_type = run_plan<Exec, Schedule, work_type, Program>;

  /// `program(tiles, records)` is the program over tables there; nobody asks for it where there are
  /// no products. In clusters of so many blocks.
  template <class MakeProgram>
  tabled_plan(const Exec& exec, const Schedule& schedule, const group_tables<Record, Tile>& made,
              int cluster, const MakeProgram& program)
      : records_(made.records, exec.memory()),
        tiles_(made.tiles, exec.memory()),
        offsets_(made.offsets, exec.memory()),
        plan_(exec, schedule, work_type(offsets_.data(), tiles(), made.offsets.back()),
              Program::slot_bytes, 0, cluster) {
    if (!made.records.empty()) program_.emplace(program(tiles_.data(), records_.data()));
  }
  void operator()() const {
    if (program_) plan_(*program_);
  }
  /// Waits, and throws where a block lost another's partial; see `run_plan::check`.
  void check() { plan_.check(); }
  [[nodiscard]] std::int64_t tiles() const { return static_cast<std::int64_t>(tiles_.size()); }
  [[nodiscard]] std::size_t bytes() const {
    return plan_.bytes() + records_.size() * sizeof(Record) + tiles_.size() * sizeof(Tile) +
           offsets_.size() * sizeof(std::int64_t);
  }

 private:
  array<Record> records_;
  array<Tile> tiles_;
  array<std::int64_t> offsets_;
  plan_type plan_;
  std::optional<Program> program_;  ///< none of no products
};

}  // namespace loops::gemm_detail
