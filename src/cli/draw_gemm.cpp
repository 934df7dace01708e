// SPDX-License-Identifier: Apache-2.0
/// `loops draw gemm`: which block takes which k-steps of which tile, when, and who is idle.
#include "loops/core/error.hpp"
#include "loops/schedule/dense_schedules.hpp"

#include <charconv>
#include <cstdio>
#include <variant>

#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/files.hpp"
#include "cli/gemm_picture.hpp"
#include "cli/printable.hpp"

namespace loops::cli {

namespace {

std::int64_t read_extent(const std::string& text, const char* what) {
  std::int64_t n = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (status != std::errc() || end != text.data() + text.size() || n < 1 || n > 1 << 30)
    throw error(errc::invalid_argument,
                std::string(what) + " is '" + text + "': give a whole number from 1 to 2^30");
  return n;
}

extents read_tile(const std::string& text) {
  const auto first = text.find('x');
  const auto second = first == std::string::npos ? first : text.find('x', first + 1);
  require(second != std::string::npos, errc::invalid_argument,
          "a tile is rows x columns x k-step, as 128x128x32");
  return {read_extent(text.substr(0, first), "the tile's rows"),
          read_extent(text.substr(first + 1, second - first - 1), "the tile's columns"),
          read_extent(text.substr(second + 1), "the tile's k-step")};
}

}  // namespace

int draw_gemm(const draw_request& request) {
  require(request.inputs.size() == 4, errc::invalid_argument,
          "a product is drawn as `loops draw gemm M N K`, with its three extents");
  require(
      request.blocks + request.lanes + request.wave + request.items == 0, errc::invalid_argument,
      "--blocks, --lanes, --wave and --items are for matrices; for gemm use --workers and --tile");
  const std::string name = request.schedule.empty() ? "stream_k" : request.schedule;
  const any_dense_schedule schedule = dense_schedule_named(name);
  const extents problem{read_extent(request.inputs[1], "m"), read_extent(request.inputs[2], "n"),
                        read_extent(request.inputs[3], "k")};
  const extents tile = read_tile(request.tile.empty() ? "128x128x32" : request.tile);
  const extents grid = grid_of(problem, tile);
  const std::int64_t tiles = grid.m * grid.n;
  require(tiles <= most_drawn_tiles, errc::invalid_argument,
          "more than 20000 tiles make no picture: use a larger --tile");
  if (const auto* cut = std::get_if<schedule::split_k>(&schedule))
    require(tiles * cut->pieces <= 8 * most_drawn_tiles, errc::invalid_argument,
            "more than 160000 pieces of tiles make no picture: use fewer, or a larger --tile");
  const std::int64_t blocks = request.workers ? request.workers : tiles <= 64 ? 4 : 132;
  require(blocks <= most_drawn_tiles, errc::invalid_argument,
          "more than 20000 blocks at a time make no picture: use fewer --workers");
  const gemm_picture drawn = picture_of(name, schedule, problem, tile, blocks);
  write_file(request.out, drawn.svg);
  if (request.out != "-")
    std::printf("%s: %s on %s, last done after %s, %s handed on\n", printable(request.out).c_str(),
                counted(tiles, "tile").c_str(), counted(blocks, "block").c_str(),
                counted(drawn.end, "k-step").c_str(), counted(drawn.parts, "part").c_str());
  return exit_right;
}

}  // namespace loops::cli
