// SPDX-License-Identifier: Apache-2.0
/// Where Hopper's program finds the operands and the result of a tile.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/backend/cuda/async.hpp"

#include <cstdint>

namespace loops::hopper {

/// The first row and column of C that are a tile's, as the matrix units see them: of what lies
/// before, another tile makes the same sums.
struct corner {
  int row, column;
};

/// The elements that a block computes, and those of them that are its tile's: in rows and columns
/// of the matrix units. A tile of many steps that would end outside of C begins earlier, as far as
/// C goes, because the copy unit takes its time over boxes that it has to fill with zeros. In steps
/// of 8, as results are stored by the 16 bytes.
template <class Who>
struct block_place {
  int row, column;
  corner from;
  Who of;
};

/// What becomes of a tile's sums: C is m x n, `boxes` stores it where its rows allow that (else
/// null), and `layer` is its place in a batch.
template <class Epilogue>
struct tile_result {
  Epilogue epilogue;
  const CUtensorMap* boxes;
  std::int32_t m;
  std::int32_t n;
  std::int32_t layer;
};

/// The tiles of one product, or of a batch of equal ones. What the copy unit knows of the matrices
/// travels with the kernel's parameters.
template <class Epilogue>
struct one_product {
  using epilogue_type = Epilogue;
  /// Whether tiles lie in matrices of different sizes, so that finding one means looking it up.
  static constexpr bool ragged = false;
  /// Which product, of a batch.
  using who = std::int32_t;
  struct found {
    std::int32_t row, col;  ///< in tiles
    who of;
  };

  CUtensorMap a_map;
  CUtensorMap b_map;
  CUtensorMap c_map;  ///< used where `boxes`
  gemm_tiles tiles;
  Epilogue epilogue;
  bool boxes = false;     ///< whether C can be stored in boxes, its rows on 16-byte boundaries
  bool a_batched = true;  ///< whether every product of the batch has an A of its own
  bool b_batched = true;
  bool inside = true;  ///< whether tiles that would end outside of C begin earlier
  /// Where products are parts of k: from the first step of one to the next's.
  std::int32_t steps_each = 0;

  /// At the start, by all lanes of a block.
  __device__ __forceinline__ void prepare(int lane, int) const {
    if (lane != 0) return;
    gpu::prefetch_map(a_map);
    gpu::prefetch_map(b_map);
  }
  [[nodiscard]] __device__ __forceinline__ found at(std::int64_t tile) const {
    const tile_place p = tiles.at(tile);
    return {p.row, p.col, p.batch};
  }
  [[nodiscard]] const __device__ __forceinline__ CUtensorMap& a(who) const { return a_map; }
  [[nodiscard]] const __device__ __forceinline__ CUtensorMap& b(who) const { return b_map; }
  [[nodiscard]] __device__ __forceinline__ int a_layer(who of) const { return a_batched ? of : 0; }
  [[nodiscard]] __device__ __forceinline__ int b_layer(who of) const { return b_batched ? of : 0; }
  /// Where a product's steps begin among those of its operands.
  [[nodiscard]] __device__ __forceinline__ int first_step(who of) const { return of * steps_each; }
  [[nodiscard]] __device__ __forceinline__ bool stays_inside() const { return inside; }
  [[nodiscard]] __device__ __forceinline__ tile_result<Epilogue> result(who of) const {
    return {epilogue.of_batch(of), boxes ? &c_map : nullptr, tiles.m(), tiles.n(), of};
  }
};

/// What Hopper's programs know about one of many products.
template <class Epilogue>
struct alignas(128) product_record {
  CUtensorMap a_map;
  CUtensorMap b_map;
  CUtensorMap c_map;  ///< used where `boxes`
  typename Epilogue::output* c;
  std::int64_t c_leading;
  std::int32_t c_widest;
  std::int32_t m;
  std::int32_t n;
  std::int32_t number;  ///< of the product
  std::int32_t boxes;   ///< whether C can be stored in boxes
};

/// A tile of one of many products.
struct alignas(16) tile_of_many {
  std::int32_t row, col;  ///< in tiles
  std::int32_t of;        ///< which product
  std::int32_t unused;
};

/// The tiles of many products of different sizes: two tables in device memory, one of the tiles and
/// one of the products.
template <class Epilogue>
struct many_products {
  using epilogue_type = Epilogue;
  static constexpr bool ragged = true;
  using record = product_record<Epilogue>;
  using who = const record*;
  struct found {
    std::int32_t row, col;
    who of;
  };

  const tile_of_many* tiles;
  const record* records;
  std::int32_t products;
  Epilogue parts;  ///< with nobody's C

  /// What the host wrote into device memory is not what a block's copies see unless it is told.
  /// Sync: the block, afterwards.
  __device__ __forceinline__ void prepare(int lane, int lanes) const {
    for (int i = lane; i < products; i += lanes) {
      gpu::acquire_map(records[i].a_map);
      gpu::acquire_map(records[i].b_map);
      gpu::acquire_map(records[i].c_map);
    }
  }
  [[nodiscard]] __device__ __forceinline__ found at(std::int64_t tile) const {
    const int4 t = __ldg(reinterpret_cast<const int4*>(tiles + tile));
    return {t.x, t.y, records + t.z};
  }
  [[nodiscard]] const __device__ __forceinline__ CUtensorMap& a(who of) const { return of->a_map; }
  [[nodiscard]] const __device__ __forceinline__ CUtensorMap& b(who of) const { return of->b_map; }
  [[nodiscard]] __device__ __forceinline__ int a_layer(who) const { return 0; }
  [[nodiscard]] __device__ __forceinline__ int b_layer(who) const { return 0; }
  [[nodiscard]] __device__ __forceinline__ int first_step(who) const { return 0; }
  [[nodiscard]] __device__ __forceinline__ bool stays_inside() const { return true; }
  /// Parts that know batches take the number of the product for one.
  [[nodiscard]] __device__ __forceinline__ tile_result<Epilogue> result(who of) const {
    const matrix<typename Epilogue::output> c(of->c, of->m, of->n, of->c_leading);
    return {parts.of_batch(of->number).into(c, of->c_widest), of->boxes ? &of->c_map : nullptr,
            of->m, of->n, 0};
  }
};

}  // namespace loops::hopper
