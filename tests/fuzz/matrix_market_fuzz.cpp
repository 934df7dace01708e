// SPDX-License-Identifier: Apache-2.0
/// libFuzzer: whatever bytes come, the reader gives a valid matrix or a `loops::error`.
///
/// clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
///   -Iinclude tests/fuzz/matrix_market_fuzz.cpp src/io/*.cpp -lz -o matrix_market_fuzz
#include "loops/io/matrix_market_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

/// Small enough that a lying header costs little memory and time.
loops::matrix_market::limits cautious() {
  loops::matrix_market::limits limits;
  limits.inflation_always = 1 << 20;
  limits.rows_always = 1 << 12;
  return limits;
}

template <class Value, class Index, class Offset>
void read(std::string_view bytes) {
  loops::csr<Value, Index, Offset> a;
  try {
    a = loops::parse_matrix_market<Value, Index, Offset>(bytes, "fuzz", cautious());
  } catch (const loops::error& e) {
    if (e.code() != loops::errc::parse && e.code() != loops::errc::overflow) std::abort();
    return;
  }
  loops::validate(a.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read<float, std::int32_t, std::int32_t>(bytes);
  read<loops::complex<double>, std::int64_t, std::int64_t>(bytes);
  read<loops::half, std::int16_t, std::int16_t>(bytes);
  return 0;
}
