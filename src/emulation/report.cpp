// SPDX-License-Identifier: Apache-2.0
/// Says in words where lanes are.
#include <cstring>
#include <string>
#include <vector>

#include "crew.hpp"

namespace loops::emulation {

namespace {

struct group {
  arrival at;
  std::vector<int> lanes;
};

bool together(const arrival& a, const arrival& b) {
  return a.what == b.what && a.where.line == b.where.line &&
         std::strcmp(a.where.file, b.where.file) == 0;
}

// "lane 3", or "lanes 0-3, 7".
std::string list(const std::vector<int>& lanes) {
  std::string out = lanes.size() == 1 ? "lane " : "lanes ";
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t last = i;
    while (last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1) ++last;
    if (i != 0) out += ", ";
    out += std::to_string(lanes[i]);
    if (last != i) out.append("-").append(std::to_string(lanes[last]));
    i = last + 1;
  }
  return out;
}

}  // namespace

const char* name(operation what) {
  switch (what) {
    case operation::none:
      return "nothing";
    case operation::sync:
      return "sync";
    case operation::sync_any:
      return "sync_any";
    case operation::wave_sync:
      return "wave_sync";
    case operation::shuffle:
      return "shuffle";
    case operation::shuffle_up:
      return "shuffle_up";
    case operation::shuffle_down:
      return "shuffle_down";
    case operation::shuffle_xor:
      return "shuffle_xor";
    case operation::ballot:
      return "ballot";
    case operation::relax:
      return "relax";
  }
  return "?";
}

std::string place(site where) {
  return std::string(where.file) + ":" + std::to_string(where.line);
}

std::string whereabouts(const crew& c) {
  std::vector<group> groups;
  for (int i = 0; i < c.threads; ++i) {
    const seat& s = c.seats[static_cast<std::size_t>(i)];
    const std::uint64_t bit = std::uint64_t{1} << s.wave_lane;
    if (!(s.wave->live & bit)) continue;
    arrival at;
    if (s.wave->waiting & bit) at = s.wave->pending;
    if (s.wave->relaxing & bit) at = s.last;
    std::size_t g = 0;
    while (g < groups.size() && !together(groups[g].at, at)) ++g;
    if (g == groups.size()) groups.push_back({at, {}});
    groups[g].lanes.push_back(i);
  }
  std::string out;
  for (const group& g : groups) {
    if (!out.empty()) out += "; ";
    out += list(g.lanes);
    if (g.at.what == operation::none) {
      out += " running";
    } else {
      out += std::string(" in ") + name(g.at.what) + " at " + place(g.at.where);
    }
  }
  return out;
}

}  // namespace loops::emulation
