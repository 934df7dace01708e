// SPDX-License-Identifier: Apache-2.0
/// A linear recurrence over sequences of many lengths: state[i] = keep[i] * state[i - 1] + in[i],
/// from 0 at the start of each. A step is a function, and functions chain in one order only.
#include <cmath>
#include <cstdio>
#include <loops/algorithm/scan_tiles.hpp>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

/// state -> keep * state + in.
struct step {
  float keep = 1, in = 0;
};
struct then {
  LOOPS_HD step operator()(step first, step second) const {
    return {second.keep * first.keep, second.keep * first.in + second.in};
  }
  template <class T>
  LOOPS_HD step identity() const {
    return {};
  }
};

int main() {
  const loops::executor exec = loops::default_executor();
  // The rows of a matrix are the sequences, its values what comes in.
  const auto matrix = loops::generate<float>("power_law:rows=20000,nonzeros=400000");
  const auto there = matrix.to(exec.memory());
  loops::array<float> states(there.values.size(), exec.memory());

  const float* in = there.values.data();
  float* state = states.data();
  loops::scan_tiles<step>(
      exec, loops::schedule::merge_path{}, rows_of(there.view()),
      [=] LOOPS_FN(auto i) {
        return step{0.75F + 0.25F * in[i] * in[i], in[i]};
      },
      then{}, [=] LOOPS_FN(auto, auto i, step, step through) { state[i] = through.in; });

  const auto found = states.to_vector();
  int wrong = 0;
  for (std::size_t t = 0; t + 1 < matrix.offsets.size(); ++t) {
    double s = 0, size = 0;  // the state, and the sum of all magnitudes that are in it
    const auto last = static_cast<std::size_t>(matrix.offsets[t + 1]);
    for (auto i = static_cast<std::size_t>(matrix.offsets[t]); i < last; ++i) {
      const float v = matrix.values[i];
      const double keep = 0.75F + 0.25F * v * v;
      s = keep * s + v;
      size = keep * size + std::fabs(v);
      wrong += !(std::fabs(found[i] - s) <= 1e-5 * size);
    }
  }
  std::printf("%zu states of %d sequences, %d wrong\n", found.size(), matrix.rows, wrong);
  return wrong == 0 ? 0 : 1;
}
