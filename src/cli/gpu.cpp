// SPDX-License-Identifier: Apache-2.0
/// The door to GPUs; compiled by the GPU's compiler.
#include "loops/execution/gpu.hpp"

#include "cli/dense_open.hpp"
#include "cli/device.hpp"
#include "cli/typed_device.hpp"

namespace loops::cli {

bool built_for_gpu() {
  return true;
}
int gpu_count() {
  return gpu::device_count();
}
std::unique_ptr<device> open_gpu(int number) {
  const gpu_executor exec(number);
  const gpu::device_facts& facts = exec.facts();
  return std::make_unique<typed_device<gpu_executor, coverage::all>>(
      exec, "gpu:" + std::to_string(number),
      facts.name + ", " + facts.architecture + ", " + std::to_string(facts.processors) +
          " processors");
}

std::unique_ptr<dense_session> open_gpu_dense(int number, dense_kind kind, const product& p) {
  return open_dense(gpu_executor(number), kind, p);
}

}  // namespace loops::cli
