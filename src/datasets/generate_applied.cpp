// SPDX-License-Identifier: Apache-2.0
/// Matrices with the pattern of a kind of application: meshes, links between pages, circuits,
/// saddle points.
#include <algorithm>
#include <utility>
#include <vector>

#include "fixed_exp2.hpp"
#include "generators.hpp"
#include "grid.hpp"

namespace loops::datasets {
namespace {

/// Whether `i` and `j` are coupled, the same seen from both: so patterns are symmetric though each
/// row is made alone.
bool coupled(std::uint64_t seed, std::int64_t i, std::int64_t j, std::uint64_t share) {
  const auto [low, high] = std::minmax(i, j);
  random_stream coin(seed + 0x65646765U + mix_bits(static_cast<std::uint64_t>(high)),
                     static_cast<std::uint64_t>(low));
  return coin.next() >> 32 < share;
}

/// Finite elements: every unknown of a point with every one of the points that it is coupled to.
class mesh final : public seeded_rows {
 public:
  explicit mesh(const parameters& p)
      : seeded_rows(p),
        unknowns_(p.integer("unknowns", 1, 1000)),
        grid_(p, 3, unknowns_),
        share_(share_of(p.real("keep", 0, 1))) {}
  std::int64_t rows() const override { return grid_.points() * unknowns_; }
  std::int64_t cols() const override { return rows(); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto point = row / unknowns_;
    grid_.neighbours(point, true, [&](std::int64_t q) {
      if (q != point && !coupled(seed(), point, q, share_)) return;
      for (std::int64_t u = 0; u < unknowns_; ++u) columns.push_back(q * unknowns_ + u);
    });
  }

 private:
  std::int64_t unknowns_;
  grid grid_;
  std::uint64_t share_;
};

/// The optimality conditions [H A'; A 0] of a problem whose H and A couple neighbours on a grid.
class saddle_point final : public seeded_rows {
 public:
  explicit saddle_point(const parameters& p) : seeded_rows(p), grid_(p, 3, 2) {}
  std::int64_t rows() const override { return 2 * grid_.points(); }
  std::int64_t cols() const override { return rows(); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto n = grid_.points();
    const auto append = [&](std::int64_t offset) {
      grid_.neighbours(row % n, false, [&](std::int64_t q) { columns.push_back(q + offset); });
    };
    append(0);
    if (row < n) append(n);
  }

 private:
  grid grid_;
};

/// Pages of sites, one site after another. Most links stay on the site: some go to its first
/// pages, some to pages nearby; the others go to pages anywhere, few of which get most.
class web final : public seeded_rows {
 public:
  explicit web(const parameters& p)
      : seeded_rows(p),
        pages_(p.integer("pages", 1)),
        site_(p.integer("site", 1, std::int64_t{1} << 40)),
        least_(p.integer("least", 0, std::int64_t{1} << 20)),
        most_(p.integer("most", least_, std::int64_t{1} << 40)),
        slope_(share_of(p.real("exponent", 1.0625, 16) - 1)),
        local_(share_of(p.real("local", 0, 1))) {}
  std::int64_t rows() const override { return pages_; }
  std::int64_t cols() const override { return pages_; }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto from = columns.size();
    auto random = stream(row);
    const auto links = std::min({least_ * longer(random.next(), slope_), most_, pages_});
    const auto [first, size] = site_of(row);
    for (std::int64_t i = 0; i < links; ++i) {
      const auto kind = random.next();
      if (kind >> 32 >= local_) {
        const auto rank = static_cast<std::uint64_t>(at_front(random.next(), pages_));
        columns.push_back(random_stream(~seed(), rank).below(pages_));
      } else if (kind & 1) {
        columns.push_back(first + at_front(random.next(), size));
      } else {
        const auto step = longer(random.next(), std::uint64_t{1} << 32);
        const auto there = kind & 2 ? row + step : row - step;
        columns.push_back(std::clamp(there, first, first + size - 1));
      }
    }
    sort_unique(columns, from);
  }

 private:
  /// A number from 1 on, at least k with a probability of k^-(slope / 2^32); up to 2^40.
  [[nodiscard]] std::int64_t longer(std::uint64_t bits, std::uint64_t slope) const {
    const auto power = exp2_((fixed_exp2::minus_log2(bits) << 32) / slope) >> 20;
    return static_cast<std::int64_t>(power);
  }
  /// A number below `size`, of which half lie in the first sixteenth.
  [[nodiscard]] static std::int64_t at_front(std::uint64_t bits, std::int64_t size) {
    const auto square = multiply_high(bits, bits);
    return static_cast<std::int64_t>(
        multiply_high(multiply_high(square, square), static_cast<std::uint64_t>(size)));
  }
  /// The first page of a page's site, and how many there are. Sites of 16 times the usual size, or
  /// so many smaller ones as fit there.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> site_of(std::int64_t page) const {
    const auto largest = 16 * site_;
    const auto group = page / largest;
    random_stream random(seed() ^ 0x73697465U, static_cast<std::uint64_t>(group));
    const auto size = std::max<std::int64_t>(1, largest >> random.below(7));
    const auto first = group * largest + (page - group * largest) / size * size;
    const auto end = std::min({first + size, (group + 1) * largest, pages_});
    return {first, end - first};
  }

  std::int64_t pages_, site_, least_, most_;
  std::uint64_t slope_, local_;
  fixed_exp2 exp2_;
};

/// Nodes that are wired to few others, mostly nearby, and rails that many are wired to.
class circuit final : public seeded_rows {
 public:
  explicit circuit(const parameters& p)
      : seeded_rows(p),
        nodes_(p.integer("nodes", 1)),
        rails_(p.integer("rails", 0, nodes_)),
        on_rail_(share_of(p.real("on_rail", 0, 1))) {
    // About as many of each length in bits, no two alike.
    const auto reach = p.integer("reach", 1, std::int64_t{1} << 40);
    int bits = 0;
    while (reach >> bits) ++bits;
    random_stream random(seed() ^ 0x77697265U, 0);
    for (int i = 0; i < ways; ++i)
      wires_.push_back(1 + random.below(std::min(reach, std::int64_t{1} << random.below(bits))));
    std::sort(wires_.begin(), wires_.end());
    for (std::size_t i = 1; i < wires_.size(); ++i)
      wires_[i] = std::max(wires_[i], wires_[i - 1] + 1);
    while (wires_.back() > reach) wires_.pop_back();
    const auto most = 2 * static_cast<double>(wires_.size());
    wired_ = share_of((p.real("per_row", 1, 1 + most) - 1) / most);
  }
  std::int64_t rows() const override { return nodes_; }
  std::int64_t cols() const override { return nodes_; }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    const auto from = columns.size();
    columns.push_back(row);
    for (const auto d : wires_)
      for (const auto other : {row - d, row + d})
        if (other >= 0 && other < nodes_ && coupled(seed(), row, other, wired_))
          columns.push_back(other);
    bool rail = false;
    for (std::int64_t r = 0; r < rails_; ++r) {
      const auto at = rail_at(r);
      rail |= at == row;
      if (at != row && on_the_rail(row, at)) columns.push_back(at);
    }
    if (rail)
      for (std::int64_t i = 0; i < nodes_; ++i)
        if (on_the_rail(row, i)) columns.push_back(i);
    sort_unique(columns, from);
  }

 private:
  static constexpr int ways = 16;  ///< most lengths of wires
  [[nodiscard]] std::int64_t rail_at(std::int64_t r) const {
    return r * (nodes_ / rails_) + nodes_ / rails_ / 2;
  }
  [[nodiscard]] bool on_the_rail(std::int64_t i, std::int64_t j) const {
    return coupled(seed() ^ 0x7261696cU, i, j, on_rail_);
  }

  std::int64_t nodes_, rails_;
  std::uint64_t wired_ = 0, on_rail_;
  std::vector<std::int64_t> wires_;  ///< between how far apart nodes, ascending
};

}  // namespace

std::vector<entry> applied_generators() {
  const auto along = [](const char* name, const char* fallback) {
    return generator_parameter{name, fallback, std::string("points along ") + name};
  };
  return {
      {{"mesh",
        "finite elements: a point of a 3D grid with most of the 26 around it, full blocks",
        {along("nx", "20"),
         along("ny", "20"),
         along("nz", "20"),
         {"unknowns", "3", "rows of a point"},
         {"keep", "0.8", "probability that neighbours are coupled"}}},
       make<mesh>},
      {{"saddle_point",
        "[H A'; A 0] with 7-point patterns: rows of two bands, then rows of one",
        {along("nx", "20"), along("ny", "20"), along("nz", "20")}},
       make<saddle_point>},
      {{"web",
        "links between pages, most within their site, numbers of links from a power law",
        {{"pages", "20000", "rows and columns"},
         {"site", "200", "pages of a usual site; there are larger and smaller ones"},
         {"local", "0.85", "probability that a link stays on its site"},
         {"exponent", "2.3", "the exponent, 1.0625 to 16; smaller is more skewed"},
         {"least", "3", "fewest links, before those that are there twice become one"},
         {"most", "5000", "most links"}}},
       make<web>},
      {{"circuit",
        "nodes wired to few others, mostly nearby, and rails wired to many; symmetric",
        {{"nodes", "20000", "rows and columns"},
         {"per_row", "4", "nonzeros of a usual row, without rails"},
         {"reach", "2000", "longest wire, in nodes"},
         {"rails", "3", "rails, spread over the nodes"},
         {"on_rail", "0.1", "probability that a node is wired to a rail"}}},
       make<circuit>},
  };
}

}  // namespace loops::datasets
