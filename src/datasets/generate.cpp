// SPDX-License-Identifier: Apache-2.0
/// The list of generators, the reading of a spec, and the threads that make the chunks.
#include "loops/io/generate.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "generators.hpp"

namespace loops {
namespace datasets {
namespace {

const std::vector<entry>& entries() {
  static const std::vector<entry> all = [] {
    std::vector<entry> out;
    for (auto& family : {regular_generators(), random_generators(), power_law_generators(),
                         rmat_generators(), combinatorial_generators(), applied_generators()})
      out.insert(out.end(), family.begin(), family.end());
    for (auto& e : out) {
      auto& list = e.description.parameters;
      const bool seeded =
          std::any_of(list.begin(), list.end(), [](auto& p) { return p.name == "seed"; });
      if (!seeded)
        list.push_back({"seed", "1", "decides the random numbers; same seed, same matrix"});
      list.push_back(
          {"values", "natural", "natural (what the definition says, else random), random or ones"});
    }
    return out;
  }();
  return all;
}

/// A source whose values are replaced.
class revalued final : public row_source {
 public:
  revalued(std::unique_ptr<const row_source> inner, const parameters& p, bool ones)
      : inner_(std::move(inner)), seeded_(*inner_, p), ones_(ones) {}
  std::int64_t rows() const override { return inner_->rows(); }
  std::int64_t cols() const override { return inner_->cols(); }
  double least_nonzeros() const override { return inner_->least_nonzeros(); }
  void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
    inner_->row(row, columns);
  }
  void values(std::int64_t row, std::span<const std::int64_t> columns,
              std::span<double> out) const override {
    if (ones_)
      std::fill(out.begin(), out.end(), 1.0);
    else
      seeded_.values(row, columns, out);
  }

 private:
  /// Reaches the random values of the base class, whatever `inner` made of them.
  class seeded final : public seeded_rows {
   public:
    seeded(const row_source& of, const parameters& p) : seeded_rows(p), of_(of) {}
    std::int64_t rows() const override { return of_.rows(); }
    std::int64_t cols() const override { return of_.cols(); }
    void row(std::int64_t row, std::vector<std::int64_t>& columns) const override {
      of_.row(row, columns);
    }

   private:
    const row_source& of_;
  };
  std::unique_ptr<const row_source> inner_;
  seeded seeded_;
  bool ones_;
};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

const entry& find(const std::string& name) {
  for (const auto& e : entries())
    if (e.description.name == name) return e;
  std::vector<std::string> names;
  for (const auto& e : entries()) names.push_back(e.description.name);
  throw error(errc::invalid_argument,
              "there is no generator \"" + name + "\"; there are: " + listed(names));
}

/// Reads what follows the colon, if there is one.
parameters parse(const entry& of, std::optional<std::string_view> text) {
  const auto& name = of.description.name;
  std::map<std::string, std::string> values;
  std::vector<std::string> legal;
  for (const auto& p : of.description.parameters) {
    values[p.name] = p.fallback;
    legal.push_back(p.name);
  }
  std::vector<std::string> given;
  for (bool more = text.has_value(); more;) {
    const auto comma = text->find(',');
    more = comma != std::string_view::npos;
    const auto item = text->substr(0, comma);
    if (more) text->remove_prefix(comma + 1);
    const auto equals = item.find('=');
    const std::string key(item.substr(0, equals));
    if (values.find(key) == values.end())
      throw error(errc::invalid_argument,
                  name + " has no parameter \"" + key + "\"; it has: " + listed(legal));
    if (equals == std::string_view::npos || equals + 1 == item.size())
      throw error(errc::invalid_argument, name + ": write " + key + "=VALUE");
    if (std::find(given.begin(), given.end(), key) != given.end())
      throw error(errc::invalid_argument, name + ": " + key + " is given twice");
    given.push_back(key);
    values[key] = std::string(item.substr(equals + 1));
  }
  return {name, std::move(values), std::move(given)};
}

/// A number as people write it: 0.5, not 0.500000.
std::string shortest(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

}  // namespace

std::string parameters::wrong(const std::string& name) const {
  const std::string text = "\"" + values_.at(name) + "\"";
  const bool asked = std::find(given_.begin(), given_.end(), name) != given_.end();
  return asked ? ", not " + text : ", not its default " + text + ": write " + name + "=VALUE";
}

void parameters::fail(const std::string& message) const {
  throw error(errc::invalid_argument, generator_ + ": " + message);
}

std::int64_t parameters::integer(const std::string& name, std::int64_t least,
                                 std::int64_t most) const {
  const std::string& text = values_.at(name);
  const char* end = text.data() + text.size();
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), end, value);
  std::int64_t unit = 1;
  const char* rest = read.ptr;
  if (read.ec == std::errc{} && end - rest == 1) {
    unit = *rest == 'k' ? 1000 : *rest == 'M' ? 1000000 : *rest == 'G' ? 1000000000 : 0;
    if (unit) ++rest;
  }
  const bool fits =
      unit && value <= most / unit && value >= -(most / unit) && value * unit >= least;
  if (read.ec != std::errc{} || rest != end || !fits)
    fail(name + " must be an integer between " + std::to_string(least) + " and " +
         std::to_string(most) + wrong(name));
  return value * unit;
}

double parameters::real(const std::string& name, double least, double most) const {
  const std::string& text = values_.at(name);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() ||
      !(value >= least && value <= most))
    fail(name + " must be a number between " + shortest(least) + " and " + shortest(most) +
         wrong(name));
  return value;
}

std::size_t parameters::choice(const std::string& name,
                               const std::vector<std::string>& legal) const {
  const std::string& text = values_.at(name);
  const auto at = std::find(legal.begin(), legal.end(), text);
  if (at == legal.end()) fail(name + " must be one of " + listed(legal) + wrong(name));
  return static_cast<std::size_t>(at - legal.begin());
}

void seeded_rows::values(std::int64_t row, std::span<const std::int64_t> columns,
                         std::span<double> out) const {
  // Named by (row, column), so a pattern that gains an entry keeps the values of all others.
  const std::uint64_t key =
      mix_bits(seed_ ^ 0x6c6f6f7073U) + static_cast<std::uint64_t>(row) * 0xd1342543de82ef95U;
  for (std::size_t k = 0; k < columns.size(); ++k)
    out[k] = random_value(mix_bits(mix_bits(key) ^ static_cast<std::uint64_t>(columns[k])));
}

}  // namespace datasets

const std::vector<generator>& list_generators() {
  static const std::vector<generator> all = [] {
    std::vector<generator> out;
    for (const auto& e : datasets::entries()) out.push_back(e.description);
    return out;
  }();
  return all;
}

std::unique_ptr<const row_source> make_rows(std::string_view spec) {
  const auto colon = spec.find(':');
  const std::string name(spec.substr(0, colon));
  const auto& entry = datasets::find(name);
  std::optional<std::string_view> given;
  if (colon != std::string_view::npos) given = spec.substr(colon + 1);
  const auto p = datasets::parse(entry, given);
  const auto mode = p.choice("values", {"natural", "random", "ones"});
  try {
    auto source = entry.make(p);
    if (mode == 0) return source;
    return std::make_unique<const datasets::revalued>(std::move(source), p, mode == 2);
  } catch (const std::bad_alloc&) {
    throw error(errc::out_of_memory,
                "not enough memory for the row lengths of " + std::string(spec));
  }
}

namespace detail {

void for_each_chunk(std::int64_t chunks, unsigned threads,
                    const std::function<void(std::int64_t)>& f) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::int64_t> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::int64_t c = next++; c < chunks; c = next++) f(c);
    } catch (...) {
      next = chunks;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t t = 1; t < std::min<std::int64_t>(threads, chunks); ++t)
        others.emplace_back(work);
    } catch (const std::system_error&) {
      // The system starts no more: those that there are do.
    }
    work();
  }
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    throw error(errc::out_of_memory, "not enough memory to generate this matrix");
  }
}

void require_fits(std::int64_t count, std::uint64_t maximum, const char* what) {
  if (static_cast<std::uint64_t>(count) > maximum)
    throw error(errc::overflow, std::to_string(count) + ' ' + what +
                                    " do not fit the index type, whose maximum is " +
                                    std::to_string(maximum) + "; use a wider Index or Offset");
}

void refuse_value(double x) {
  throw error(errc::overflow, "the generated value " + std::to_string(x) +
                                  " does not fit the type of the values; use a wider Value");
}

void require_room(double bytes, const char* named, const char* instead) {
  const double room = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  if (room > 0 && bytes > room)
    throw error(errc::out_of_memory,
                named + (" takes more than " + std::to_string(std::int64_t(room / 1e9))) +
                    " GB, which is all that the machine has; " + instead);
}

}  // namespace detail
}  // namespace loops
