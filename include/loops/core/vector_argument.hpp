// SPDX-License-Identifier: Apache-2.0
/// Lets a caller pass a vector as a raw pointer, a span, a Thrust vector, or anything with data().
#pragma once

#include "loops/core/error.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace loops {

namespace detail {

template <class P>
auto raw_pointer(const P& p) {
  if constexpr (std::is_pointer_v<P>) {
    return p;
  } else {
    return p.get();  // thrust::device_ptr and other fancy pointers
  }
}

}  // namespace detail

/// A raw pointer, or an object with data() and size().
template <class V, class T>
concept vector_argument = std::convertible_to<V, T*> || requires(V& v) {
  { detail::raw_pointer(v.data()) } -> std::convertible_to<T*>;
  { v.size() } -> std::convertible_to<std::size_t>;
};

/// The first element of `v`; throws invalid_argument when v knows that it has fewer than `needed`.
template <class T, class V>
T* vector_data(V&& v, std::int64_t needed, const char* name,
               source_place where = source_place::here()) {
  using plain = std::remove_cvref_t<V>;
  T* data = nullptr;
  if constexpr (std::is_convertible_v<plain, T*>) {
    data = v;
  } else {
    if (static_cast<std::int64_t>(v.size()) < needed)
      throw error(errc::invalid_argument,
                  std::string(name) + " has " + std::to_string(v.size()) + " elements, but " +
                      std::to_string(needed) + " are needed",
                  where);
    data = detail::raw_pointer(v.data());
  }
  if (!data && needed > 0)
    throw error(errc::invalid_argument, std::string(name) + " is a null pointer", where);
  return data;
}

/// Throws invalid_argument when `to` begins where `from` does, though elements of both are `used`:
/// they would be read after they were written. Other overlaps are not found.
inline void check_apart(const void* to, const char* to_name, const void* from,
                        const char* from_name, bool used,
                        source_place where = source_place::here()) {
  if (!used || to != from) return;
  throw error(errc::invalid_argument,
              std::string(to_name) + " begins where " + from_name + " does, which is read while " +
                  to_name + " is written; they must not overlap: give " + to_name +
                  " a place of its own",
              where);
}

}  // namespace loops
