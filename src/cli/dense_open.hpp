// SPDX-License-Identifier: Apache-2.0
/// Picks the session of a type among those that other files define.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <cstdint>

#include "cli/dense.hpp"

namespace loops::cli {

template <class Exec>
std::unique_ptr<dense_session> open_dense(const Exec& exec, dense_kind kind, const product& p) {
  switch (kind) {
    case dense_kind::f32:
      return make_dense_session<Exec, float>(exec, p);
    case dense_kind::f64:
      return make_dense_session<Exec, double>(exec, p);
    case dense_kind::f16:
      return make_dense_session<Exec, half>(exec, p);
    case dense_kind::bf16:
      return make_dense_session<Exec, bfloat16>(exec, p);
    case dense_kind::tf32:
      return make_dense_session<Exec, tfloat32>(exec, p);
    case dense_kind::e4m3:
      return make_dense_session<Exec, float8_e4m3>(exec, p);
    case dense_kind::i8:
      return make_dense_session<Exec, std::int8_t>(exec, p);
  }
  throw error(errc::invalid_argument, "there is no such type of elements");
}

}  // namespace loops::cli
