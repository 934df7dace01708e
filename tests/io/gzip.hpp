// SPDX-License-Identifier: Apache-2.0
/// Packs text for tests.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

/// `text` as one gzip member.
inline std::string gzip(const std::string& text, int level = 6) {
  z_stream state{};
  constexpr int gzip_format = 15 + 16;
  if (deflateInit2(&state, level, Z_DEFLATED, gzip_format, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string out(deflateBound(&state, static_cast<uLong>(text.size())) + 32, '\0');
  std::string in = text;
  state.next_in = reinterpret_cast<Bytef*>(in.data());
  state.avail_in = static_cast<uInt>(in.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  if (deflate(&state, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}
