// SPDX-License-Identifier: Apache-2.0
/// Bank conflicts of shared memory, counted from the addresses of a wave: for proofs on a CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace loops::tile {

/// How a processor serves one access of a wave: which lanes at a time, over how many banks of four
/// bytes.
struct bank_phases {
  int banks = 32;
  std::vector<std::vector<int>> lanes;
};

namespace bank_detail {

/// Lanes [first, last).
inline std::vector<int> range(int first, int last) {
  std::vector<int> v;
  for (int i = first; i < last; ++i) v.push_back(i);
  return v;
}

inline std::vector<int> join(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace bank_detail

/// NVIDIA: 32 banks; a wave's bytes are served 128 at a time, in lane order.
inline bank_phases nvidia_phases(int bytes_per_lane) {
  bank_phases p{32, {}};
  const int together = bytes_per_lane <= 4 ? 32 : 128 / bytes_per_lane;
  for (int l = 0; l < 32; l += together) p.lanes.push_back(bank_detail::range(l, l + together));
  return p;
}

/// ldmatrix: one 8 x 8 matrix at a time, its eight rows of 16 bytes.
inline bank_phases ldmatrix_phases() {
  return nvidia_phases(16);
}

/// CDNA's reads, as measured by the authors of HipKittens (their table 5): ds_read_b128 serves
/// four groups of 16 lanes that are not contiguous, ds_read_b64 two halves, over 64 banks.
inline bank_phases cdna_read_phases(int bytes_per_lane) {
  using bank_detail::join;
  using bank_detail::range;
  if (bytes_per_lane == 16) {
    const auto low = join(join(range(0, 4), range(12, 16)), range(20, 28));
    const auto high = join(join(range(4, 12), range(16, 20)), range(28, 32));
    bank_phases p{64, {low, high, low, high}};
    for (int i = 2; i < 4; ++i)
      for (int& lane : p.lanes[static_cast<std::size_t>(i)]) lane += 32;
    return p;
  }
  if (bytes_per_lane == 8) return {64, {range(0, 32), range(32, 64)}};
  return {32, {range(0, 32), range(32, 64)}};
}

/// CDNA's writes: ds_write_b64 serves 16 lanes at a time over 32 banks (table 5); ds_write_b128 is
/// not in the table and taken to serve 8.
inline bank_phases cdna_write_phases(int bytes_per_lane) {
  bank_phases p{32, {}};
  const int together = bytes_per_lane <= 4 ? 32 : 128 / bytes_per_lane;
  for (int l = 0; l < 64; l += together) p.lanes.push_back(bank_detail::range(l, l + together));
  return p;
}

/// The largest number of different words that one phase wants of one bank; 1 is free of conflicts.
/// `address(lane)` is the byte at which the lane's `bytes_per_lane` start.
template <class Address>
int worst_conflict(const bank_phases& phases, int bytes_per_lane, const Address& address) {
  int worst = 0;
  for (const auto& lanes : phases.lanes) {
    std::map<int, std::set<std::int64_t>> words;
    for (const int lane : lanes) {
      const std::int64_t first = address(lane) / 4;
      const std::int64_t last = (address(lane) + bytes_per_lane - 1) / 4;
      for (std::int64_t w = first; w <= last; ++w)
        words[static_cast<int>(w % phases.banks)].insert(w);
    }
    for (const auto& [bank, wanted] : words)
      worst = std::max(worst, static_cast<int>(wanted.size()));
  }
  return worst;
}

}  // namespace loops::tile
