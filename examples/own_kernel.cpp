// SPDX-License-Identifier: Apache-2.0
/// A kernel of one's own that iterates a schedule: how many atoms does every block get?
#include <algorithm>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

/// A kernel is a function object over a block, with one struct of shared memory.
template <class Bound>
struct count_atoms {
  Bound schedule;
  std::int64_t* atoms_of_block;

  template <class Block>
  struct storage {
    loops::visit_storage visit;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    loops::for_each_visit(block, shared.visit, schedule, [&](const loops::visited& v) {
      const bool speaks = v.valid && block.lane() % v.lanes == 0;  // one lane of the group
      if (!speaks) return;
      const std::int64_t atoms = schedule.at(v.number).atoms().size();
      block.atomic_add(&atoms_of_block[block.id()], atoms);
    });
  }
};

/// The busiest block's atoms over the average block's; false when atoms were lost.
template <class Schedule>
bool report(const loops::executor& exec, const Schedule& schedule, const loops::csr<float>& a) {
  const auto plan = loops::plan(exec, schedule, rows_of(a.view()));
  using plan_type = decltype(plan);
  using shape = typename plan_type::shape_type;
  using kernel = count_atoms<typename plan_type::bound_type>;
  loops::array<std::int64_t> counts(static_cast<std::size_t>(plan.blocks()), exec.memory());
  counts.fill(0);
  exec.template launch<shape>(plan.blocks(), kernel{plan.bound_schedule(), counts.data()});

  std::int64_t most = 0;
  std::int64_t all = 0;
  for (const std::int64_t n : counts.to_vector()) {
    most = std::max(most, n);
    all += n;
  }
  const double average = static_cast<double>(all) / static_cast<double>(plan.blocks());
  std::printf("%-16s %6lld blocks, the busiest has %6.1f times the average\n", Schedule::name(),
              static_cast<long long>(plan.blocks()), static_cast<double>(most) / average);
  return all == a.nonzeros();
}

int main() {
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>("dense_row:rows=100000").to(exec.memory());
  const bool complete = report(exec, loops::schedule::wave_mapped{}, a) &&
                        report(exec, loops::schedule::nonzero_split{}, a) &&
                        report(exec, loops::schedule::merge_path{}, a);
  return complete ? 0 : 1;
}
