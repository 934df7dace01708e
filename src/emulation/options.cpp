// SPDX-License-Identifier: Apache-2.0
/// Reads the emulation's options from the environment, lists those worth testing, spells them.
#include "loops/backend/emulation/options.hpp"

#include "loops/core/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

namespace loops {

namespace {

using emulation::order;

const char* name(order o) {
  return o == order::up ? "up" : o == order::down ? "down" : "seeded";
}

[[noreturn]] void reject(const char* variable, const char* text, const std::string& wanted) {
  throw error(errc::invalid_argument,
              std::string(variable) + " is '" + text + "': set it to " + wanted + ", or unset it");
}

void read(const char* variable, order& out, bool with_down) {
  const char* text = std::getenv(variable);
  if (!text) return;
  const std::string value = text;
  if (value == "up") {
    out = order::up;
  } else if (value == "down" && with_down) {
    out = order::down;
  } else if (value == "seeded") {
    out = order::seeded;
  } else {
    reject(variable, text, with_down ? "up, down or seeded" : "up or seeded");
  }
}

template <class T>
void read(const char* variable, T& out, std::uint64_t least, std::uint64_t most,
          const char* or_else = "") {
  const char* text = std::getenv(variable);
  if (!text) return;
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 0);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < least || value > most)
    reject(variable, text,
           "a number from " + std::to_string(least) + " to " + std::to_string(most) + or_else);
  out = static_cast<T>(value);
}

}  // namespace

emulation_options emulation_options::from_environment() {
  constexpr std::uint64_t large = std::uint64_t{1} << 32;
  emulation_options o;
  read("LOOPS_EMULATION_ORDER", o.lanes, true);
  read("LOOPS_EMULATION_BLOCK_ORDER", o.blocks, false);
  read("LOOPS_EMULATION_SEED", o.seed, 0, ~std::uint64_t{0});
  read("LOOPS_EMULATION_RESIDENCY", o.residency, 1, 1024);
  read("LOOPS_EMULATION_STACK", o.stack_bytes, 16 * 1024, large);
  read("LOOPS_EMULATION_SHARED", o.shared_bytes, 0, large);
  read("LOOPS_EMULATION_PATIENCE", o.patience, 1, large);
  const char* byte = std::getenv("LOOPS_EMULATION_POISON");
  if (byte && std::string(byte) == "off") {
    o.poison = false;
  } else {
    read("LOOPS_EMULATION_POISON", o.poison_byte, 0, 255, ", or off");
  }
  return o;
}

std::vector<emulation_options> emulation_options::sweep(int seeds, std::uint64_t seed) {
  std::vector<emulation_options> out(2);
  out[0].residency = 1;
  out[1].lanes = order::down;
  out[1].poison_byte = 0xFF;
  for (int i = 0; i < seeds; ++i) {
    emulation_options o;
    o.lanes = order::seeded;
    o.seed = seed + static_cast<std::uint64_t>(i);
    o.residency = i % 2 ? 2 : 4;
    o.poison_byte = i % 2 ? 0xCD : 0xFF;
    out.push_back(o);
  }
  return out;
}

void emulation_options::check() const {
  require(residency >= 1 && residency <= 1024, errc::invalid_argument,
          "emulation_options: residency must be 1 … 1024");
  require(stack_bytes >= 16 * 1024, errc::invalid_argument,
          "emulation_options: a lane needs a stack of at least 16 KiB");
  require(blocks != emulation::order::down, errc::invalid_argument,
          "emulation_options: blocks start in increasing or seeded order");
}

std::string emulation_options::to_string() const {
  std::string out = std::string("lanes ") + name(lanes) + ", blocks " + name(blocks);
  if (lanes == order::seeded || blocks == order::seeded) out += ", seed " + std::to_string(seed);
  out += ", residency " + std::to_string(residency);
  constexpr const char* digits = "0123456789abcdef";
  return out + ", poison " +
         (poison ? std::string("0x") + digits[poison_byte >> 4] + digits[poison_byte & 15] : "off");
}

}  // namespace loops
