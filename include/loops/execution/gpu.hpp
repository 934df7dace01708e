// SPDX-License-Identifier: Apache-2.0
/// Executes kernels on a GPU, ordered by one stream. Only for HIP and CUDA compilers.
#pragma once

#include "loops/backend/gpu/launch.hpp"
#include "loops/core/machine.hpp"
#include "loops/execution/dies.hpp"
#include "loops/execution/gpu_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace loops {

/// One GPU and one stream. Launches return at once; `synchronize` waits. Making one selects its
/// device; to use it, whichever device is the current one will do, and stays it.
class gpu_executor {
 public:
  /// Throws: unsupported when there is no such device.
  explicit gpu_executor(int device = 0) : gpu_executor(device, nullptr) {}
  /// Orders everything on the caller's stream, on its device. Requires, with CUDA before 12.8,
  /// which does not tell a stream's device: that device is the current one.
  explicit gpu_executor(gpu::stream_t stream)
      : gpu_executor(gpu::device_of(stream), std::make_shared<gpu::stream>(stream)) {}

  template <class Shape>
  using block = gpu::block<Shape>;

  /// Runs `kernel` in `blocks` blocks.
  template <class Shape, class Kernel>
  void launch(std::int64_t blocks, const Kernel& kernel) const {
    if (blocks <= 0) return;
    check_grid<Shape>(blocks);
    gpu::launch<Shape>(device_, stream_->get(), static_cast<unsigned>(blocks), kernel);
  }

  /// Runs `kernel`, which calls `await_previous`; it may start while the previous one drains.
  template <class Shape, class Kernel>
  void launch_early(std::int64_t blocks, const Kernel& kernel) const {
    if (blocks <= 0) return;
    check_grid<Shape>(blocks);
    const auto grid = static_cast<unsigned>(blocks);
    if (early_) {
      gpu::launch_early<Shape>(device_, stream_->get(), grid, kernel);
    } else {
      gpu::launch<Shape>(device_, stream_->get(), grid, kernel);
    }
  }

  /// What schedules see of this machine when kernels are launched with `Shape`, of which `lanes`
  /// lanes fit a processor, or as many as it holds, and blocks have `storage` bytes of shared
  /// memory.
  template <class Shape>
  [[nodiscard]] machine describe(int lanes = 0, std::size_t storage = 0) const {
    const int wave = std::min(facts_.wave, Shape::threads);
    const int most = facts_.lanes_per_processor;
    const int per_processor =
        blocks_that_fit(Shape::threads, lanes > 0 ? std::min(lanes, most) : most, storage,
                        facts_.storage_per_processor);
    return {Shape::threads,
            wave,
            Shape::items,
            1,
            static_cast<std::int64_t>(facts_.processors) * per_processor,
            std::min(2, Shape::items)};
  }

  /// Blocks of `Kernel` that run at the same time, in clusters of so many. Throws: unsupported when
  /// its shared memory exceeds the device's.
  template <class Shape, class Kernel>
  [[nodiscard]] std::int64_t resident(int cluster = 1) const {
    return gpu::resident<Shape, Kernel>(device_, facts_.processors, cluster);
  }
  /// Looks at a flag before whoever waits for another block gives up: seconds.
  [[nodiscard]] std::int64_t patience() const { return std::int64_t{1} << 22; }

  [[nodiscard]] const std::shared_ptr<loops::memory>& memory() const { return memory_; }
  /// Memory of the host that kernels reach: for a few numbers that the host waits for. Kernels of
  /// the stream that read what was given back may still run: the host writes after a wait only.
  [[nodiscard]] const std::shared_ptr<loops::memory>& staging() const { return staging_; }
  /// The same for `loops::answers`, which give it back when nothing reads or writes it any more:
  /// the host may write at once.
  [[nodiscard]] const std::shared_ptr<loops::memory>& answers() const { return answers_; }
  void synchronize() const {
    const gpu::on_device here(device_);
    gpu::synchronize(stream_->get());
  }
  [[nodiscard]] gpu::stream_t stream() const { return stream_->get(); }
  [[nodiscard]] int device() const { return device_; }
  [[nodiscard]] const gpu::device_facts& facts() const { return facts_; }

 private:
  template <class Shape>
  static void check_grid(std::int64_t blocks) {
    require(blocks <= 0x7fffffff && blocks <= gpu::most_lanes / Shape::threads, errc::overflow,
            "a grid has at most 2^31 - 1 blocks, and on AMD GPUs fewer than 2^32 lanes");
  }
  gpu_executor(int device, std::shared_ptr<gpu::stream> stream) : device_(device) {
    if (device < 0 || device >= gpu::device_count())
      throw error(errc::unsupported, "there is no GPU number " + std::to_string(device) + ": " +
                                         std::to_string(gpu::device_count()) +
                                         " found; is the driver loaded?");
    gpu::set_device(device);
    facts_ = gpu::facts_of(device);
    early_ = gpu::code_starts_early(device);
    facts_.dies = dies_of(facts_.architecture, facts_.processors);
    stream_ = stream ? std::move(stream) : std::make_shared<gpu::stream>();
    staging_ = std::make_shared<gpu_staging>(device);
    answers_ = std::make_shared<gpu_staging>(device);
    memory_ = std::make_shared<gpu_memory>(device, stream_, staging_);
  }

  int device_;
  gpu::device_facts facts_;
  bool early_ = false;  ///< kernels may start while the one before them drains
  std::shared_ptr<gpu::stream> stream_;
  std::shared_ptr<loops::memory> memory_;
  std::shared_ptr<loops::memory> staging_;
  std::shared_ptr<loops::memory> answers_;
};

}  // namespace loops
