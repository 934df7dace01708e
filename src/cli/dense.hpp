// SPDX-License-Identifier: Apache-2.0
/// What `loops gemm` asks of a machine, free of the compiler that builds its kernels.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/dense_schedules.hpp"
#include "loops/schedule/measured.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/device.hpp"

namespace loops::cli {

enum class dense_kind { f32, f64, f16, bf16, tf32, e4m3, i8 };
inline constexpr std::array dense_names{"f32", "f64", "f16", "bf16", "tf32", "e4m3", "i8"};

/// Sizes of a product, and whether B is stored by columns.
struct product {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool b_by_columns = false;
};

/// A schedule, or who chooses one.
using dense_request = std::variant<any_dense_schedule, schedule::automatic, schedule::measured>;

/// What one schedule did with one product.
struct dense_measurement {
  std::vector<double> seconds;
  double plan_seconds = 0;
  std::size_t plan_bytes = 0;
  int tile_m = 0;  ///< elements of a tile of C, and of a step
  int tile_n = 0;
  int tile_k = 0;
  std::int64_t tiles = 0;
  std::int64_t steps = 0;    ///< of each tile
  std::int64_t workers = 0;  ///< blocks of work that run at once
  std::string engine;
  any_dense_schedule schedule;  ///< that ran
  verdict result;
};

/// One product of random matrices in one type on one machine.
class dense_session {
 public:
  virtual ~dense_session() = default;
  [[nodiscard]] virtual bool has_cold_runs() const = 0;
  [[nodiscard]] virtual dense_measurement measure(const dense_request& schedule,
                                                  const run_options& options) = 0;
};

/// Opens a session on an executor; other files have compiled it.
template <class Exec, class T>
std::unique_ptr<dense_session> make_dense_session(const Exec& exec, const product& p);

/// The session of a type on an executor.
template <class Exec>
std::unique_ptr<dense_session> open_dense(const Exec& exec, dense_kind kind, const product& p);

/// The compiled-in door to a GPU. Throws: unsupported in a program that was built without.
[[nodiscard]] std::unique_ptr<dense_session> open_gpu_dense(int number, dense_kind kind,
                                                            const product& p);

}  // namespace loops::cli
