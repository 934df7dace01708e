// SPDX-License-Identifier: Apache-2.0
/// The door to GPUs in a program that was built without.
#include "loops/core/error.hpp"

#include "cli/dense.hpp"
#include "cli/device.hpp"

namespace loops::cli {

bool built_for_gpu() {
  return false;
}
int gpu_count() {
  return 0;
}
std::unique_ptr<device> open_gpu(int) {
  throw error(
      errc::unsupported,
      "this program was built for the CPU only; configure with -DLOOPS_BACKEND=HIP or CUDA");
}
std::unique_ptr<dense_session> open_gpu_dense(int number, dense_kind, const product&) {
  (void)open_gpu(number);
  return nullptr;
}

}  // namespace loops::cli
