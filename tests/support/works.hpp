// SPDX-License-Identifier: Apache-2.0
/// Works made to break schedules: by the sizes of their tiles.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// A work as the list of its tiles' sizes.
struct sizes {
  std::string name;
  std::vector<std::int64_t> of;

  [[nodiscard]] std::int64_t tiles() const { return static_cast<std::int64_t>(of.size()); }
  [[nodiscard]] std::int64_t atoms() const {
    return std::accumulate(of.begin(), of.end(), std::int64_t{0});
  }
  template <class Offset>
  [[nodiscard]] std::vector<Offset> offsets() const {
    std::vector<Offset> out{0};
    for (const std::int64_t n : of)
      out.push_back(static_cast<Offset>(out.back() + static_cast<Offset>(n)));
    return out;
  }
  /// The tile of every atom.
  template <class Key>
  [[nodiscard]] std::vector<Key> keys() const {
    std::vector<Key> out;
    for (std::size_t t = 0; t < of.size(); ++t)
      out.insert(out.end(), static_cast<std::size_t>(of[t]), static_cast<Key>(t));
    return out;
  }
};

/// Calls `f(sizes of the tiles)` for all works of at most `tiles` tiles and `atoms` atoms.
template <class F>
void for_each_small_work(std::int64_t tiles, std::int64_t atoms, const F& f) {
  std::vector<std::int64_t> of;
  const auto extend = [&](const auto& self, std::int64_t left) -> void {
    f(of);
    if (static_cast<std::int64_t>(of.size()) == tiles) return;
    for (std::int64_t n = 0; n <= left; ++n) {
      of.push_back(n);
      self(self, left - n);
      of.pop_back();
    }
  };
  extend(extend, atoms);
}

/// Works whose tiles, atoms and steps lie around every boundary of slices of `capacity` steps on
/// `lanes` lanes.
inline std::vector<sizes> awkward_sizes(std::int64_t capacity, std::int64_t lanes) {
  std::vector<sizes> all;
  const auto add = [&](std::string name, std::vector<std::int64_t> of) {
    all.push_back({std::move(name), std::move(of)});
  };
  const auto repeat = [](std::int64_t count, std::int64_t n) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(count), n);
  };
  const auto text = [](std::int64_t n) { return std::to_string(n); };
  add("no tiles", {});
  add("one empty tile", {0});
  add("one tile of one atom", {1});
  for (const std::int64_t n : {lanes - 1, lanes, lanes + 1, capacity - 2, capacity - 1, capacity,
                               capacity + 1, 2 * capacity - 1, 2 * capacity, 2 * capacity + 1}) {
    if (n < 1) continue;
    add("one tile of " + text(n), {n});
    add(text(n) + " empty tiles", repeat(n, 0));
    add(text(n) + " tiles of one atom", repeat(n, 1));
    // The end of the first tile, and of the second, fall around a cut.
    add("tiles of " + text(n) + ", 0 and " + text(n), {n, 0, n});
    std::vector<std::int64_t> shifted = repeat(3, 0);
    shifted.push_back(n);
    shifted.insert(shifted.end(), 2, 0);
    shifted.push_back(capacity / 2 + 1);
    add("empty tiles around " + text(n), shifted);
  }
  // Works that fill a few blocks are cut evenly; larger ones at the capacity.
  for (const std::int64_t n : {5 * capacity - 1, 5 * capacity, 5 * capacity + 1}) {
    add("one tile of " + text(n), {n});
    add(text(n) + " empty tiles", repeat(n, 0));
  }
  std::vector<std::int64_t> dense = repeat(lanes + 3, 2);
  dense.insert(dense.begin() + lanes / 2, 23 * capacity + 5);
  add("one dense tile among short ones", dense);
  dense.front() = 41 * capacity;
  add("two dense tiles", dense);
  std::vector<std::int64_t> stairs;
  for (std::int64_t n = 0; n < 40; ++n) stairs.push_back(n);
  add("stairs", stairs);
  std::vector<std::int64_t> bits;
  for (std::int64_t n = 1; n <= 2 * capacity; n *= 2) {
    bits.push_back(n - 1);
    bits.push_back(n);
    bits.push_back(n + 1);
  }
  add("around every power of two", bits);
  std::vector<std::int64_t> sparse = repeat(3 * capacity, 0);
  sparse[static_cast<std::size_t>(capacity)] = 1;
  sparse[static_cast<std::size_t>(capacity) + 1] = capacity;
  sparse.back() = 3;
  add("hardly an atom", sparse);
  std::vector<std::int64_t> law;
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    const std::int64_t x = static_cast<std::int64_t>(random() % 1000) + 1;
    law.push_back(1000 / x - 1 < 4 * capacity ? 1000 / x - 1 : 4 * capacity);
  }
  add("power law", law);
  std::vector<std::int64_t> mixed;
  for (int i = 0; i < 300; ++i) mixed.push_back(static_cast<std::int64_t>(random() % 9));
  add("random", mixed);
  return all;
}

/// The few of them that between them have every feature.
inline std::vector<sizes> few_sizes(std::int64_t capacity, std::int64_t lanes) {
  std::vector<sizes> few;
  for (sizes& s : awkward_sizes(capacity, lanes))
    if (s.name == "no tiles" || s.name == "one empty tile" || s.name == "stairs" ||
        s.name == "one dense tile among short ones" || s.name == "hardly an atom" ||
        s.name == "power law" || s.name == "empty tiles around " + std::to_string(capacity))
      few.push_back(std::move(s));
  return few;
}

}  // namespace support
