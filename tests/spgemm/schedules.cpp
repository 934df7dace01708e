// SPDX-License-Identifier: Apache-2.0
/// Every schedule of the catalogue takes SpGEMM, exactly and repeatably.
#include "support/schedules.hpp"

#include "loops/io/generate.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "spgemm/oracle.hpp"

namespace {

template <class Exec>
class spgemm_schedules : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spgemm_schedules, support::executors, support::executor_name);

TYPED_TEST(spgemm_schedules, all_of_them) {
  for (const std::string spec : {"power_law:rows=150,nonzeros=900", "stencil5:nx=7,ny=9",
                                 "empty_rows:rows=90,cols=90,per_row=5,run=3"}) {
    auto a = loops::generate<float>(spec);
    for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = static_cast<float>(k % 5) - 2;
    auto uneven = a.to(loops::default_host_memory());
    oracle::make_uneven(uneven);
    for (const auto& point : support::all_points()) {
      SCOPED_TRACE(spec + ", " + point.name);
      std::visit(
          [&](const auto& schedule) {
            oracle::check(this->any(), schedule, a, a);
            if (spec.starts_with("power_law"))
              oracle::check_bits(this->variants(), schedule, uneven, uneven);
          },
          point.schedule);
      if (this->HasFailure()) return;
    }
  }
}

}  // namespace
