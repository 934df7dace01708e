// SPDX-License-Identifier: Apache-2.0
/// The schedules worth trying for tile programs, in one list: tests, benchmarks and the command
/// read it.
#pragma once

#include "loops/core/error.hpp"
#include "loops/schedule/data_parallel.hpp"
#include "loops/schedule/split_k.hpp"
#include "loops/schedule/stream_k.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <variant>
#include <vector>

namespace loops {

/// One of them, chosen at run time; `std::visit` it.
using any_dense_schedule =
    std::variant<schedule::data_parallel, schedule::split_k, schedule::stream_k>;

/// A schedule and the name it is asked for by.
struct named_dense_schedule {
  std::string name;
  any_dense_schedule schedule;
};

/// Data-parallel, Stream-K over everything, its hybrids of 1 … 6 tiles, and split-K.
inline std::vector<named_dense_schedule> dense_schedules() {
  std::vector<named_dense_schedule> all{{"data_parallel", schedule::data_parallel{}},
                                        {"stream_k", schedule::stream_k{}}};
  for (int n = 1; n <= 6; ++n)
    all.push_back({"stream_k:" + std::to_string(n), schedule::stream_k{.waves = n}});
  for (const int pieces : {2, 4, 8})
    all.push_back({"split_k:" + std::to_string(pieces), schedule::split_k{pieces}});
  return all;
}

/// The name by which a schedule is asked for.
inline std::string name_of(const any_dense_schedule& s) {
  if (const auto* cut = std::get_if<schedule::split_k>(&s))
    return "split_k:" + std::to_string(cut->pieces);
  if (const auto* k = std::get_if<schedule::stream_k>(&s); k && k->waves != 0)
    return k->waves == schedule::stream_k::all ? "stream_k"
                                               : "stream_k:" + std::to_string(k->waves);
  return "data_parallel";
}

/// The schedule called `name`, of any number of tiles or pieces. Throws: invalid_argument with the
/// names of those in the list.
inline any_dense_schedule dense_schedule_named(const std::string& name) {
  std::string names;
  for (const named_dense_schedule& s : dense_schedules()) {
    if (s.name == name) return s.schedule;
    names += " " + s.name;
  }
  int number = 0;
  const char* const end = name.data() + name.size();
  std::from_chars(name.data() + std::min(name.find(':') + 1, name.size()), end, number);
  for (const any_dense_schedule& s : {any_dense_schedule(schedule::stream_k{.waves = number}),
                                      any_dense_schedule(schedule::split_k{number})})
    if (number > 0 && name_of(s) == name) return s;
  throw error(errc::invalid_argument,
              "there is no dense schedule '" + name + "'; there are:" + names);
}

}  // namespace loops
