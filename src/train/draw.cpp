// SPDX-License-Identifier: Apache-2.0
/// The picture of a selector: both trees, one below the other, with what each leaf takes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "cli/svg.hpp"
#include "train/write.hpp"

namespace loops::train {

namespace {

constexpr double column = 214;  ///< width of a leaf
constexpr double level = 104;   ///< height of a line of the tree
constexpr double margin = 30;

const char* const dark = "#1f2937";
const char* const grey = "#6b7280";
const char* const soft = "#9ca3af";

/// Blue for tiles taken whole, orange for tiles that are cut.
const char* fill_of(const select::candidate& c) {
  return c.lanes == 0 ? "#fde7cf" : "#dbeafe";
}
const char* stroke_of(const select::candidate& c) {
  return c.lanes == 0 ? "#d97706" : "#2563eb";
}

std::string number(const char* format, double x) {
  char text[48];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

struct placed {
  double x = 0;      ///< middle
  double width = 0;  ///< of everything below
  int depth = 0;
};

class drawing {
 public:
  drawing(const model& m, cli::svg& to) : m_(m), s_(m.view()), to_(to) {}

  /// Draws a tree from `top` down; returns the lower end.
  double tree(const owned_tree& t, const std::string& title, double top) {
    places_.assign(t.nodes.size(), {});
    int deepest = 0;
    const double width = place(t, 0, margin, 0, deepest);
    widest_ = std::max(widest_, width + 2 * margin);
    to_.text(margin, top + 16, title, 15, dark, "start", "font-weight:600");
    const double from = top + 56;
    for (std::size_t i = 0; i < t.nodes.size(); ++i)
      if (t.nodes[i].by != select::feature::none) {
        branch(t, i, i + 1, from, "yes");
        branch(t, i, static_cast<std::size_t>(t.nodes[i].other), from, "no");
      }
    for (std::size_t i = 0; i < t.nodes.size(); ++i)
      t.nodes[i].by == select::feature::none ? leaf(t, i, from) : question(t, i, from);
    return from + deepest * level + 100;
  }
  [[nodiscard]] double width() const { return widest_; }

 private:
  double place(const owned_tree& t, std::size_t at, double left, int depth, int& deepest) {
    deepest = std::max(deepest, depth);
    placed& p = places_[at];
    p.depth = depth;
    if (t.nodes[at].by == select::feature::none) {
      p.width = column;
      p.x = left + column / 2;
    } else {
      const auto no = static_cast<std::size_t>(t.nodes[at].other);
      const double yes_width = place(t, at + 1, left, depth + 1, deepest);
      const double no_width = place(t, no, left + yes_width, depth + 1, deepest);
      p.width = yes_width + no_width;
      p.x = (places_[at + 1].x + places_[no].x) / 2;
    }
    return p.width;
  }
  [[nodiscard]] double y(std::size_t i, double from) const {
    return from + places_[i].depth * level;
  }

  int matrices_below(const owned_tree& t, std::size_t at) const {
    if (t.nodes[at].by == select::feature::none)
      return t.leaves[static_cast<std::size_t>(t.nodes[at].other)].matrices;
    return matrices_below(t, at + 1) +
           matrices_below(t, static_cast<std::size_t>(t.nodes[at].other));
  }

  void branch(const owned_tree& t, std::size_t parent, std::size_t child, double from,
              const char* label) {
    // As thick as the share of the matrices that go there.
    const double share =
        static_cast<double>(matrices_below(t, child)) / std::max(1, matrices_below(t, 0));
    to_.line(places_[parent].x, y(parent, from), places_[child].x, y(child, from) - 14, soft,
             1 + 6 * share);
    to_.text((places_[parent].x + places_[child].x) / 2 + (label[0] == 'y' ? -16 : 16),
             (y(parent, from) + y(child, from)) / 2, label, 11, grey,
             label[0] == 'y' ? "end" : "start");
  }

  void question(const owned_tree& t, std::size_t i, double from) {
    const std::string text = words_of(m_, t, i) + " ?";
    const double wide = 16 + 7.4 * static_cast<double>(text.size());
    to_.rect(places_[i].x - wide / 2, y(i, from) - 15, wide, 30, "#ffffff", 6,
             " stroke=\"#6b7280\"");
    to_.text(places_[i].x, y(i, from) + 4.5, text, 13, dark, "middle");
  }

  void leaf(const owned_tree& t, std::size_t i, double from) {
    const auto at = static_cast<std::size_t>(t.nodes[i].other);
    const select::leaf& l = t.leaves[at];
    select::facts many;
    many.uses = 1'000'000'000;
    const auto k = static_cast<std::size_t>(
        select::least_loss(s_, t.view(), static_cast<int>(at), many, true));
    const select::candidate& c = m_.schedules[k];
    const double left = places_[i].x - column / 2 + 7;
    const double top = y(i, from) - 15;
    to_.rect(left, top, column - 14, 64, fill_of(c), 6,
             std::string(" stroke=\"") + stroke_of(c) + "\"");
    to_.text(places_[i].x, top + 19, name_of(m_, k), 13, dark, "middle", "font-weight:600");
    to_.text(places_[i].x, top + 36,
             std::to_string(l.matrices) + " matrices, " + std::to_string(l.groups) + " groups" +
                 (l.sure ? "" : ": too few"),
             11, grey, "middle");
    const auto& f = t.forecasts[at * m_.schedules.size() + k];
    to_.text(places_[i].x, top + 53,
             "loses " + number("%.1f", 100 * f.loss) + " %, takes " + number("%.2f", f.low) +
                 " – " + number("%.2f", f.high),
             11, grey, "middle");
  }

  const model& m_;
  select::selector s_;
  cli::svg& to_;
  std::vector<placed> places_;
  double widest_ = 640;
};

}  // namespace

std::string to_picture(const model& m) {
  cli::svg to;
  drawing d(m, to);
  const std::string title = "The selector for " + m.device;
  to.text(margin, 36, title + (m.proved ? "" : " (unproved)"), 19, dark, "start",
          "font-weight:600");
  to.text(margin, 56, "trained on " + m.basis, 12, grey);
  double y = d.tree(m.known, "1  By the size alone", 82);
  to.text(margin, y + 2,
          "Then a pass over the tiles, where it is expected to save more than its " +
              number("%.3g", m.numbers.gather_us) + " us over all uses (" +
              number("%.3g", m.numbers.copy_us) + " for a copy of few ends).",
          12, grey);
  y = d.tree(m.gathered, "2  After the pass over the tiles", y + 24);
  to.text(margin, y - 10,
          "Takes: nine in ten times, in units of " + number("%.3g", m.numbers.launch_us) +
              " us plus the bytes at " + number("%.0f", m.numbers.gb_per_s) + " GB/s.",
          11, grey);
  to.text(margin, y + 6, "Blue: a tile is taken whole. Orange: long tiles are cut.", 11, grey);
  return to.page(d.width(), y + 22, title);
}

}  // namespace loops::train
