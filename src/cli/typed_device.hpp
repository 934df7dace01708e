// SPDX-License-Identifier: Apache-2.0
/// A device over any executor: opens sessions that other files have compiled, measures the copy.
#pragma once

#include "loops/algorithm/plan.hpp"
#include "loops/execution/bandwidth.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/device.hpp"
#include "cli/session_factory.hpp"

namespace loops::cli {

/// Which combinations are compiled for an executor.
enum class coverage {
  all,   ///< CSR of every type; the other formats and 64-bit indices of f32 and f64
  tests  ///< CSR of f32 and f64
};

template <class Exec, coverage Coverage>
class typed_device final : public device {
 public:
  typed_device(Exec exec, std::string name, std::string details)
      : exec_(std::move(exec)), name_(std::move(name)), details_(std::move(details)) {}
  std::string name() const override { return name_; }
  std::string details() const override { return details_; }
  bool has_cold_runs() const override { return cache_bytes(exec_) > 0; }
  bool worth_timing() const override { return Coverage == coverage::all; }

  machine describe(std::size_t bytes) const override {
    if (bytes <= 4) return exec_.template describe<shape_for<4>>();
    if (bytes <= 8) return exec_.template describe<shape_for<8>>();
    return exec_.template describe<shape_for<16>>();
  }

  double copy_bandwidth() const override {
    // Past every cache, short of troubling a small machine.
    const std::size_t bytes = std::size_t{1} << (exec_.memory()->on_host() ? 27 : 30);
    stopwatch<Exec> clock(exec_);
    return loops::copy_bandwidth(exec_, clock, bytes);
  }

  std::unique_ptr<session> open(const host_matrix& a, value_kind type, format_kind format,
                                int index_bits) const override {
    switch (type) {
      case value_kind::f32:
        return open_typed<float>(a, type, format, index_bits);
      case value_kind::f64:
        return open_typed<double>(a, type, format, index_bits);
      case value_kind::f16:
        return open_csr<half>(a, type, format, index_bits);
      case value_kind::bf16:
        return open_csr<bfloat16>(a, type, format, index_bits);
      case value_kind::c32:
        return open_csr<complex<float>>(a, type, format, index_bits);
      case value_kind::c64:
        return open_csr<complex<double>>(a, type, format, index_bits);
    }
    refuse(type, format, index_bits);
  }

 private:
  template <class V>
  std::unique_ptr<session> open_typed(const host_matrix& a, value_kind type, format_kind format,
                                      int index_bits) const {
    using group = format_group;
    if (format == format_kind::csr && index_bits == 32)
      return make_session<Exec, V, std::int32_t, group::csr>(exec_, a, format);
    if constexpr (Coverage == coverage::all) {
      if (format == format_kind::csr)
        return make_session<Exec, V, std::int64_t, group::csr>(exec_, a, format);
      if (index_bits == 32) {
        if (format == format_kind::coo || format == format_kind::csc)
          return make_session<Exec, V, std::int32_t, group::compressed>(exec_, a, format);
        if (format == format_kind::ell || format == format_kind::dia)
          return make_session<Exec, V, std::int32_t, group::padded>(exec_, a, format);
        return make_session<Exec, V, std::int32_t, group::blocked>(exec_, a, format);
      }
    }
    refuse(type, format, index_bits);
  }
  template <class V>
  std::unique_ptr<session> open_csr(const host_matrix& a, value_kind type, format_kind format,
                                    int index_bits) const {
    if constexpr (Coverage == coverage::all)
      if (format == format_kind::csr && index_bits == 32)
        return make_session<Exec, V, std::int32_t, format_group::csr>(exec_, a, format);
    refuse(type, format, index_bits);
  }
  [[noreturn]] void refuse(value_kind type, format_kind format, int index_bits) const {
    throw error(errc::unsupported,
                name_ + " has no " + to_string(type) + " " + to_string(format) + " with " +
                    std::to_string(index_bits) + "-bit indices: formats other than csr" +
                    (Coverage == coverage::all
                         ? " and 64-bit indices go with f32 or f64, and not with each other"
                         : ", 64-bit indices and types other than f32 and f64 are not emulated"));
  }

  Exec exec_;
  std::string name_;
  std::string details_;
};

}  // namespace loops::cli
