// SPDX-License-Identifier: Apache-2.0
/// The length of every row of a sparse matrix, under several schedules: one word of difference.
#include <cmath>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

namespace schedule = loops::schedule;

/// What to do with an atom, and with a finished tile. The schedule decides everything between.
template <class Schedule>
std::vector<float> row_norms(const loops::executor& exec, const Schedule& schedule,
                             const loops::csr<float>& a) {
  loops::array<float> norms(static_cast<std::size_t>(a.rows), exec.memory());
  const float* values = a.values.data();
  float* norm = norms.data();
  loops::reduce_tiles<float>(
      exec, schedule, rows_of(a.view()),
      [=] LOOPS_FN(auto nonzero) { return values[nonzero] * values[nonzero]; }, loops::plus{},
      [=] LOOPS_FN(auto row, auto sum) { norm[row] = std::sqrt(sum); });
  return norms.to_vector();
}

/// Schedules add in different orders, so the last digits may differ.
bool agree(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= 1e-4F * a[i])) return false;
  return a.size() == b.size();
}

int main() {
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>("power_law:rows=50000,nonzeros=700000").to(exec.memory());

  const auto norms = row_norms(exec, schedule::merge_path{}, a);
  const bool same = agree(norms, row_norms(exec, schedule::wave_mapped{}, a)) &&
                    agree(norms, row_norms(exec, schedule::lrb{}, a)) &&
                    agree(norms, row_norms(exec, schedule::queue{}, a)) &&
                    agree(norms, row_norms(exec, schedule::automatic{}, a));

  std::printf("%d rows, %d nonzeros; the first rows have lengths %g, %g, %g\n", a.rows,
              a.nonzeros(), norms[0], norms[1], norms[2]);
  std::printf("five schedules %s\n", same ? "agree" : "DISAGREE");
  return same ? 0 : 1;
}
