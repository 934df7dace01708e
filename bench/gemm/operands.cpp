// SPDX-License-Identifier: Apache-2.0
/// Fills operands on the device.
#include "gemm/operands.hpp"

#include "loops/execution/cache_flush.hpp"
#include "loops/select/bloom.hpp"

#include <bit>
#include <cmath>
#include <type_traits>

namespace loops::bench {

namespace {

template <class T>
LOOPS_HD T element(double uniform) {
  if constexpr (std::is_same_v<T, tfloat32>) {
    // Exact in tf32, so that it does not matter how the hardware rounds what it is given.
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(float(uniform)) & ~0x1fffu);
  } else if constexpr (std::is_same_v<T, double>) {
    return uniform;
  } else if constexpr (std::is_integral_v<T>) {
    return T(std::floor(128 * uniform));  // below 1
  } else {
    return T(float(uniform));
  }
}

/// Element i becomes a number in -1 … 1 that depends on i and the seed.
template <class T>
struct randomize {
  T* to;
  std::int64_t count;
  std::uint64_t seed;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    loops::detail::for_each_index(block, count, [&](std::int64_t i) {
      std::uint64_t x = (static_cast<std::uint64_t>(i) ^ seed) * 0x9e3779b97f4a7c15u;
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
      x ^= x >> 31;
      to[i] = element<T>(static_cast<double>(static_cast<std::int64_t>(x) >> 11) * 0x1p-52);
    });
  }
};

std::size_t stride_of(double elements, std::size_t bytes) {
  constexpr std::size_t page = 1024;
  return (static_cast<std::size_t>(elements) * bytes + page - 1) / page * page;
}

}  // namespace

operand_sets::operand_sets(const executor& exec, const product& what, int sets)
    : exec_(exec),
      what_(what),
      sets_(sets),
      a_stride_(
          stride_of(double(what.size.batch) * what.size.m * what.size.k, what.operand_bytes())),
      b_stride_(
          stride_of(double(what.size.batch) * what.size.n * what.size.k, what.operand_bytes())),
      c_stride_(
          stride_of(double(what.size.batch) * what.size.m * what.size.n, what.result_bytes())),
      a_(a_stride_ * static_cast<std::size_t>(sets), exec.memory()),
      b_(b_stride_ * static_cast<std::size_t>(sets), exec.memory()),
      c_owned_(c_stride_ * static_cast<std::size_t>(sets), exec.memory()),
      c_(c_owned_.data()) {
  with_elements(what.kind, [&](auto e) {
    using T = typename decltype(e)::operand;
    const auto fill = [&](array<std::byte>& to, std::uint64_t seed) {
      const auto count = static_cast<std::int64_t>(to.size() / sizeof(T));
      loops::detail::launch_flat(
          exec, randomize<T>{reinterpret_cast<T*>(to.data()), count, select::mix(seed)});
    };
    fill(a_, 1);
    fill(b_, 2);
  });
}

void operand_sets::poison(int set) const {
  exec_.memory()->fill(c(set), poison_of(what_.kind), c_stride_);
}

}  // namespace loops::bench
