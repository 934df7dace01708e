// SPDX-License-Identifier: Apache-2.0
/// Beyond what limits one schedule is faster than another.
#include "train/give_way.hpp"

#include "loops/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "train/fit.hpp"

namespace loops::train {

namespace {

using select::placing;

/// What two schedules took for a work of so many bytes and atoms per tile.
struct duel {
  double bytes;
  double mean;
  double first_us;
  double second_us;
};

/// Beyond what bytes and for what means it pays to take the second of two, and what that saves: the
/// sum of the logarithms of the first's time over the other's.
struct limits {
  double bytes = 0;  ///< 0: never
  double mean = 0;
  double most = 0;  ///< 0: any
  double saved = 0;
};

/// The limit of bytes that saves most, of works of more than `mean` atoms per tile and at most
/// `most`.
limits pays_from(const std::vector<duel>& seen, double mean, double most) {
  std::vector<std::pair<double, double>> saved;
  for (const duel& d : seen)
    if (d.mean > mean && (most == 0 || d.mean <= most))
      saved.emplace_back(d.bytes, std::log(d.first_us / d.second_us));
  std::sort(saved.begin(), saved.end());
  limits best{0, mean, most, 0};
  double sum = 0;
  for (std::size_t i = saved.size(); i-- > 1;) {
    sum += saved[i].second;
    if (sum <= best.saved || !(saved[i - 1].first < saved[i].first)) continue;
    best.saved = sum;
    best.bytes = round_between(saved[i - 1].first, saved[i].first);
  }
  return best;
}

/// The limits that save most: first without those of the mean, then with the best lower one, then,
/// if there may be one, with the best upper one for it.
limits pays_from(const std::vector<duel>& seen, bool may_end) {
  std::vector<double> means;
  for (const duel& d : seen) means.push_back(d.mean);
  std::sort(means.begin(), means.end());
  limits best = pays_from(seen, 0, 0);
  for (const bool upper : {false, true}) {
    const double lower = best.mean;
    for (std::size_t i = 1; i < means.size(); ++i) {
      if (!(means[i - 1] < means[i])) continue;
      const double border = round_between(means[i - 1], means[i]);
      if (upper && (!may_end || border <= lower)) continue;
      const limits l = upper ? pays_from(seen, lower, border) : pays_from(seen, border, 0);
      if (l.saved > best.saved) best = l;
    }
  }
  return best;
}

/// Whether there are columns of these kernels.
bool has_columns(const table& t, std::string_view kernels) {
  return std::any_of(t.columns.begin(), t.columns.end(),
                     [&](const column& c) { return kernels_of(c.name) == kernels; });
}

/// What limits are learnt apart for: nothing, crowded works, values of 8 bytes.
enum class apart_for { nothing, crowded, large };

/// A candidate, and what is learnt of it from a table.
class lesson {
 public:
  lesson(select::candidate& c, std::string_view name, const table& t)
      : candidate_(&c), name_(name), table_(&t) {}

  /// Learns beyond what limits `other.name` is faster, where columns lie as it says, than `than`,
  /// which may have substitutes of its own; apart for some works, and by the mean as well: between
  /// two where groups take tiles, `by_mean` from one on.
  void learn(select::substitute other, const select::candidate& than, apart_for who,
             bool by_mean = false) {
    if (!has_columns(*table_, other.name)) return;
    select::candidate taker{{}, candidate_->lanes, candidate_->shift};
    taker.instead[0] = other;
    const auto seen_if = [&](auto counts) {
      std::vector<duel> seen;
      for (const row& r : table_->rows) {
        if (!suits(r.given) || !select::lie_as(other.where, than, r.given) || !counts(r.given))
          continue;
        const double first = us_of(*table_, r, than, name_, true);
        const double second = us_of(*table_, r, taker, name_, true);
        if (counts_as_measured(r, first) && counts_as_measured(r, second))
          seen.push_back({select::bytes_for(other.where, r.given),
                          select::value_of(select::feature::mean, r.given), first, second});
      }
      return seen;
    };
    const auto limits_of = [&](const std::vector<duel>& seen) {
      return by_mean || fitted() ? pays_from(seen, fitted()) : pays_from(seen, 0, 0);
    };
    const auto apart = [who](const select::facts& x) {
      return who == apart_for::crowded ? select::is_crowded(x)
                                       : who == apart_for::large && x.value_bytes >= 8;
    };
    const limits most_works = limits_of(seen_if([&](const select::facts& x) { return !apart(x); }));
    const auto others = seen_if(apart);
    // What is learnt apart has the same limits of the mean, if there are any.
    const limits rest = most_works.bytes > 0 ? pays_from(others, most_works.mean, most_works.most)
                                             : limits_of(others);
    const limits& means = most_works.bytes > 0 ? most_works : rest;
    if (means.bytes == 0) return;
    const auto or_never = [](double bytes) { return bytes > 0 ? bytes : select::never; };
    other.from = or_never(most_works.bytes);
    other.mean = means.mean;
    other.most = means.most;
    if (who == apart_for::crowded) other.crowded = or_never(rest.bytes);
    if (who == apart_for::large) other.large = or_never(rest.bytes);
    add(other);
  }

  [[nodiscard]] bool fitted() const { return candidate_->lanes == select::candidate::fitted; }

 private:
  /// Lanes give way in even works alone: of others they take none.
  [[nodiscard]] bool suits(const select::facts& x) const {
    constexpr double most_delay = 0.2;
    return !fitted() || select::value_of(select::feature::delay, x) <= most_delay;
  }

  void add(const select::substitute& s) {
    const auto free =
        std::find_if(candidate_->instead.begin(), candidate_->instead.end(),
                     [](const select::substitute& other) { return other.name.empty(); });
    require(free != candidate_->instead.end(), errc::invalid_argument,
            "a candidate has no room for another substitute");
    *free = s;
  }

  select::candidate* candidate_;
  std::string_view name_;
  const table* table_;
};

}  // namespace

bool takes_a_place(std::string_view kernels) {
  return kernels == "nonzero_split" || kernels == "wide_split" || kernels == "wide_groups";
}

void let_give_way(select::candidate& c, std::string_view name, const table& t) {
  for (const char* needed : {"nonzero_split", "merge_path"})
    if (!has_columns(t, needed)) return;
  lesson l(c, name, t);
  if (l.fitted() ? c.shift < 0 || c.shift > 1 : name != "merge_path") return;
  const select::candidate alone = c;
  // Each against what the ones before it have left.
  const auto in_place = [](const char* other, placing where, bool by_lanes = false) {
    return select::substitute{.name = other, .where = where, .by_lanes = by_lanes};
  };
  if (l.fitted())
    l.learn(in_place("merge_path", placing::far), c, apart_for::nothing);
  else
    l.learn(in_place("nonzero_split", placing::strewn), c, apart_for::nothing, true);
  for (const char* other : {"nonzero_split", "wide_split"})
    l.learn(in_place(other, placing::everywhere), c, apart_for::crowded);
  l.learn(in_place("nonzero_split", placing::near), alone,
          l.fitted() ? apart_for::nothing : apart_for::crowded);
  if (l.fitted()) {
    l.learn(in_place("wide_groups", placing::narrow_band, true), c, apart_for::large);
  } else {
    l.learn(in_place("nonzero_split", placing::held), c, apart_for::nothing, true);
    l.learn(in_place("wide_groups", placing::held, true), c, apart_for::crowded);
  }
  // Large slices of large values leave less of a processor's cache to a band.
  for (const placing band : {placing::narrow_band, placing::band})
    l.learn(in_place("wide_split", band), c, apart_for::large);
  l.learn(in_place("wide_split", placing::wide_band), c, apart_for::nothing);
}

}  // namespace loops::train
