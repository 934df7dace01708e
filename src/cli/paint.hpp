// SPDX-License-Identifier: Apache-2.0
/// What all drawings have in common: page, colours, numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "cli/svg.hpp"

namespace loops::cli {

inline constexpr double page_width = 1280;
inline constexpr double edge = 56;
inline const std::string ink = "#1b1f27";
inline const std::string quiet = "#667085";
inline const std::string alarm = "#b42318";

inline std::string number(double x, int digits = 2) {
  char t[32];
  std::snprintf(t, sizeof t, "%.*f", digits, x);
  return t;
}

/// 12345678 as "12 345 678".
inline std::string grouped(std::int64_t n) {
  std::string t = std::to_string(n);
  for (auto at = static_cast<std::int64_t>(t.size()) - 3; at > 0; at -= 3)
    t.insert(static_cast<std::size_t>(at), "\u202f");
  return t;
}

/// A hue per block; `white` from 0 to 1 lightens it.
inline std::string hue(std::int64_t slot, double white = 0) {
  constexpr int hues[8][3] = {{47, 111, 191}, {230, 126, 34}, {39, 147, 95},  {200, 60, 72},
                              {128, 90, 190}, {23, 158, 170}, {214, 164, 20}, {139, 98, 75}};
  const auto& base = hues[slot % 8];
  white += 0.15 * static_cast<double>(slot / 8 % 4);
  char t[8];
  const auto mix = [&](int c) {
    return static_cast<int>(std::lround(c + (255 - c) * std::min(white, 0.75)));
  };
  std::snprintf(t, sizeof t, "#%02x%02x%02x", mix(base[0]), mix(base[1]), mix(base[2]));
  return t;
}

/// A large number and what it counts.
inline void draw_figure(svg& to, double x, double y, const std::string& value,
                        const std::string& what) {
  to.text(x, y, value, 34, ink, "start", "font-weight:650;letter-spacing:-0.5px");
  to.text(x, y + 21, what, 12.5, quiet);
}

}  // namespace loops::cli
