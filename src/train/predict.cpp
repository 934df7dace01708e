// SPDX-License-Identifier: Apache-2.0
/// Bytes, rounds and the longest tile: what takes time on any GPU.
#include "train/predict.hpp"

#include <algorithm>
#include <cmath>

namespace loops::train {

rates assumed_rates(const std::string& device) {
  const rates h200{4.4, 4000, 80, 200, 1.7};
  if (device != "cdna") return h200;
  rates r = h200;
  r.gb_per_s = 5300 * (4000.0 / 4800.0);
  return r;
}

results predicted(const results& r, const device_class& device) {
  const rates rate = assumed_rates(device.name);
  results out = r;
  out.machine = "predictions for " + device.name;
  out.copy_gb_per_s = rate.gb_per_s;
  for (measured& x : out.rows) {
    const tile_statistics& s = x.given.seen;
    const double bytes = static_cast<double>(s.atoms + s.tiles) * (x.given.value_bytes + 4);
    const double moving = 1e-3 * bytes / rate.gb_per_s;
    x.us.clear();
    x.plan_us.clear();
    x.gather_us.reset();
    for (int lanes = 1; lanes <= device.shape.threads; lanes *= 2) {
      const double all = static_cast<double>(device.shape.blocks) * device.shape.threads;
      const double turns = std::max(0.0, static_cast<double>(s.tiles) * lanes / all - 1);
      const double step = 1e-3 * (lanes == 1 ? rate.lane_ns : rate.group_ns);
      const double longest = std::ceil(static_cast<double>(s.longest) / lanes);
      const std::string name = "group_mapped:" + std::to_string(lanes);
      x.us[name] = rate.launch_us + moving + rate.turn_us * turns + step * longest;
      x.plan_us[name] = rate.launch_us / 2;
    }
    // Two kernels, the second behind the first, and both ends of every slice once more.
    x.us["merge_path"] = 1.75 * rate.launch_us + 1.15 * moving;
    x.plan_us["merge_path"] = 3 * rate.launch_us;
  }
  return out;
}

}  // namespace loops::train
