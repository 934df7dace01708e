// SPDX-License-Identifier: Apache-2.0
/// A sieve of candidates: one Bloom filter each over the problems on which it was among the best.
#pragma once

#include "loops/core/error.hpp"
#include "loops/select/bloom.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace loops::select {

/// Which candidates a tuned problem leaves, after Stream-K++ (Sadasivan et al., 2024). A candidate
/// that is sieved out was never a winner on a problem that was tuned: filters forget nothing. Those
/// that pass may be false claims, so a model has the last word among them. A filter over all tuned
/// problems tells those that were never tuned, for which the sieve knows nothing.
class sieve {
 public:
  /// Wins of every candidate: `winners[c]` are the keys of the problems that c is good for.
  /// Throws: invalid_argument without candidates, or for a rate that is not between 0 and 1.
  sieve(const std::vector<std::vector<std::uint64_t>>& winners, double rate)
      : tuned_(total(winners), rate) {
    require(!winners.empty(), errc::invalid_argument, "a sieve needs candidates");
    for (const auto& keys : winners) {
      bloom_filter& f = filters_.emplace_back(keys.size(), rate);
      for (const std::uint64_t key : keys) {
        f.insert(key);
        tuned_.insert(key);
      }
    }
    note_winners();
  }

  [[nodiscard]] std::size_t size() const noexcept { return filters_.size(); }
  [[nodiscard]] const bloom_filter& filter(std::size_t candidate) const {
    return filters_[candidate];
  }
  /// Bits of all filters.
  [[nodiscard]] std::size_t bits() const noexcept {
    std::size_t all = tuned_.bits();
    for (const bloom_filter& f : filters_) all += f.bits();
    return all;
  }

  /// Calls `f(candidate)` for those that pass; false, without a call, for a problem that was not
  /// tuned. Allocates nothing.
  template <class F>
  bool for_each_candidate(bloom_key key, const F& f) const {
    if (!tuned_.may_hold(key)) return false;
    for (const std::size_t c : winners_)
      if (filters_[c].may_hold(key)) f(c);
    return true;
  }
  /// Those that pass; none for a problem that was not tuned.
  [[nodiscard]] std::vector<std::size_t> candidates(bloom_key key) const {
    std::vector<std::size_t> out;
    for_each_candidate(key, [&](std::size_t c) { out.push_back(c); });
    return out;
  }

  /// The sieve as text, with a version and a checksum.
  [[nodiscard]] std::string to_text() const {
    std::string body = std::to_string(filters_.size()) + "\n";
    append(body, tuned_);
    for (const bloom_filter& f : filters_) append(body, f);
    return std::string(head) + hexadecimal(checksum(body)) + "\n" + body;
  }
  /// The sieve that `to_text` wrote. Throws: parse, naming `name`, when it is anything else.
  static sieve from_text(const std::string& text, const std::string& name = "a sieve") {
    const auto refuse = [&](const char* why) {
      throw error(errc::parse, name + ": " + why + "; tune again and write it anew");
    };
    const std::string first = head;
    if (text.compare(0, first.size(), first) != 0)
      refuse("this is not a sieve of version 1 (its first line is not `loops sieve 1`)");
    if (text.size() < first.size() + 17) refuse("it ends early");
    const std::string body = text.substr(first.size() + 17);
    if (text.substr(first.size(), 17) != hexadecimal(checksum(body)) + "\n")
      refuse("its checksum is wrong");
    std::istringstream in(body);
    std::size_t count = 0;
    if (!(in >> count) || count == 0) refuse("it has no candidates");
    sieve out;
    if (!read(in, body.size(), out.tuned_)) refuse("a filter is damaged");
    for (std::size_t c = 0; c < count; ++c)
      if (!read(in, body.size(), out.filters_.emplace_back())) refuse("a filter is damaged");
    if (in >> std::ws; in.peek() != std::char_traits<char>::eof())
      refuse("something follows the last filter");
    out.note_winners();
    return out;
  }

 private:
  sieve() = default;
  static constexpr const char* head = "loops sieve 1\n";

  static std::size_t total(const std::vector<std::vector<std::uint64_t>>& winners) {
    std::size_t all = 0;
    for (const auto& keys : winners) all += keys.size();
    return all;
  }
  static std::uint64_t checksum(const std::string& body) {
    std::uint64_t sum = body.size();
    for (const char c : body) sum = mix(sum ^ static_cast<unsigned char>(c));
    return sum;
  }
  static std::string hexadecimal(std::uint64_t word) {
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; word /= 16) out[i] = "0123456789abcdef"[word % 16];
    return out;
  }
  static void append(std::string& out, const bloom_filter& f) {
    out += std::to_string(f.inserted()) + " " + std::to_string(f.hashes()) + " " +
           std::to_string(f.words().size());
    for (const std::uint64_t w : f.words()) out += " " + hexadecimal(w);
    out += "\n";
  }
  /// `limit`: the length of the text, which a filter cannot exceed however many words it claims.
  static bool read(std::istringstream& in, std::size_t limit, bloom_filter& f) {
    std::size_t inserted = 0;
    int hashes = 0;
    std::size_t count = 0;
    if (!(in >> inserted >> hashes >> count) || hashes < 1 || hashes > 32 || count == 0 ||
        count > limit / 17)
      return false;
    std::vector<std::uint64_t> words(count);
    for (std::uint64_t& w : words)
      if (!(in >> std::hex >> w)) return false;
    in >> std::dec;
    f = bloom_filter(std::move(words), hashes, inserted);
    return true;
  }

  /// Most candidates of a long list are good for nothing, and are not asked.
  void note_winners() {
    for (std::size_t c = 0; c < filters_.size(); ++c)
      if (filters_[c].inserted() > 0) winners_.push_back(c);
  }

  bloom_filter tuned_;
  std::vector<bloom_filter> filters_;
  std::vector<std::size_t> winners_;
};

/// What a sieve does to problems that were tuned.
struct sieve_report {
  double eliminated = 0;      ///< share of the candidates that do not win, sieved out
  double true_negatives = 0;  ///< share of those sieved out that indeed do not win: 1
  double left = 0;            ///< candidates that pass, mean
};

/// Asks the sieve about every tuned problem; `winners` as it was built from.
inline sieve_report report_of(const sieve& s,
                              const std::vector<std::vector<std::uint64_t>>& winners) {
  // problem -> who wins there
  std::vector<std::pair<std::uint64_t, std::size_t>> wins;
  for (std::size_t c = 0; c < winners.size(); ++c)
    for (const std::uint64_t key : winners[c]) wins.emplace_back(key, c);
  std::sort(wins.begin(), wins.end());
  wins.erase(std::unique(wins.begin(), wins.end()), wins.end());
  double problems = 0;
  double passed = 0;
  double unsuitable = 0;
  double out = 0;
  double wrongly_out = 0;
  std::vector<char> passes(s.size());
  for (std::size_t i = 0; i < wins.size();) {
    const std::uint64_t key = wins[i].first;
    std::fill(passes.begin(), passes.end(), char{0});
    s.for_each_candidate(key, [&](std::size_t c) { passes[c] = 1; });
    const auto pass = static_cast<double>(std::count(passes.begin(), passes.end(), char{1}));
    double winning = 0;
    for (; i < wins.size() && wins[i].first == key; ++i) {
      ++winning;
      if (!passes[wins[i].second]) ++wrongly_out;
    }
    ++problems;
    passed += pass;
    unsuitable += static_cast<double>(s.size()) - winning;
    out += static_cast<double>(s.size()) - pass;
  }
  sieve_report r;
  r.eliminated = unsuitable > 0 ? (out - wrongly_out) / unsuitable : 0;
  r.true_negatives = out > 0 ? 1 - wrongly_out / out : 1;
  r.left = problems > 0 ? passed / problems : 0;
  return r;
}

}  // namespace loops::select
