// SPDX-License-Identifier: Apache-2.0
/// What the command asks of a machine, free of the compiler that builds its kernels.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/schedule/measured.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/kinds.hpp"
#include "cli/matrix.hpp"

namespace loops::cli {

/// How a schedule is run and timed.
struct run_options {
  double alpha = 1;
  double beta = 0;
  int repeat = 20;    ///< timed runs
  int warm_up = 2;    ///< runs before them
  bool cold = false;  ///< evict the caches before each run, where the device can
};

/// Whether the result is right, by rows.
struct verdict {
  bool correct = false;
  double worst = 0;            ///< the largest error over its bound; at most 1 when correct
  std::int64_t worst_row = 0;  ///< where that is
  bool repeatable = false;     ///< two runs gave the same bits
};

/// What one schedule did with one matrix.
struct measurement {
  std::vector<double> seconds;  ///< each timed run
  double plan_seconds = 0;      ///< preparing it, once
  std::size_t plan_bytes = 0;   ///< device memory that the plan holds
  double imbalance = 1;         ///< see model::load_balance::imbalance
  std::vector<double> shares;   ///< see model::load_balance::shares
  std::string chosen;           ///< what an automatic schedule chose and why
  verdict result;
};

/// A schedule, or who chooses one, by its name.
struct schedule_choice {
  std::string name;
  std::variant<any_schedule, schedule::automatic, schedule::measured> schedule;
};

/// One matrix in one type and format on one device, with x, y and the reference.
class session {
 public:
  virtual ~session() = default;
  /// Bytes that a run has to move at least: the matrix as stored, x, and y (read too if beta).
  [[nodiscard]] virtual double bytes(const run_options& options) const = 0;
  [[nodiscard]] virtual measurement measure(const schedule_choice& schedule,
                                            const run_options& options) const = 0;
};

/// A machine that runs kernels.
class device {
 public:
  virtual ~device() = default;
  [[nodiscard]] virtual std::string name() const = 0;     ///< as in --device
  [[nodiscard]] virtual std::string details() const = 0;  ///< processor, for people
  [[nodiscard]] virtual bool has_cold_runs() const = 0;
  /// False for the emulation, whose times say nothing about any machine.
  [[nodiscard]] virtual bool worth_timing() const = 0;
  /// What schedules see of it for sums of `bytes` bytes.
  [[nodiscard]] virtual machine describe(std::size_t bytes) const = 0;
  /// Bytes read plus bytes written per second by a large copy; takes well under a second.
  [[nodiscard]] virtual double copy_bandwidth() const = 0;
  /// Throws: `unsupported` when this program was built without this combination; `overflow`
  /// when the matrix does not fit the type or the indices.
  [[nodiscard]] virtual std::unique_ptr<session> open(const host_matrix& a, value_kind type,
                                                      format_kind format, int index_bits) const = 0;
};

/// Opens "host", "gpu", "gpu:1", "emulation32" or "emulation64". Throws: `invalid_argument` for
/// another name, `unsupported` when there is no such GPU or the program was built without.
[[nodiscard]] std::unique_ptr<device> open_device(const std::string& name);

/// The GPU that "gpu" or "gpu:N" names; nothing for another name.
[[nodiscard]] std::optional<int> gpu_named(const std::string& name);

/// "gpu" in a program built for GPUs, else "host".
[[nodiscard]] std::string default_device();

/// Every device that can be opened here.
[[nodiscard]] std::vector<std::string> list_devices();

/// The GPUs of this machine, 0 in a host build; and the compiled-in door to one.
[[nodiscard]] bool built_for_gpu();
[[nodiscard]] int gpu_count();
[[nodiscard]] std::unique_ptr<device> open_gpu(int number);

}  // namespace loops::cli
