// SPDX-License-Identifier: Apache-2.0
/// The header's text.
#include "train/gemm_write.hpp"

#include <cctype>
#include <cstdio>
#include <utility>

#include "train/escaped.hpp"

namespace loops::train {

namespace {

std::string number(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, x);
  return text;
}

/// Whether a table is for operands that lie as tables take it, or for any.
bool is_usual(const std::string& layouts) {
  return layouts.empty() || layouts == "nt";
}

}  // namespace

std::string gemm_table_name(const std::string& machine, const std::string& type,
                            const std::string& layouts) {
  std::string name = machine;
  for (const char* maker : {"NVIDIA ", "AMD Instinct ", "AMD "})
    if (name.rfind(maker, 0) == 0) name.erase(0, std::string(maker).size());
  name += "_" + type + (is_usual(layouts) ? "" : "_" + layouts);
  std::string out = "gemm_";
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    out += std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return out;
}

std::string gemm_header(const gemm_results& r, const gemm_fit& fit, const std::string& command) {
  const std::string name = gemm_table_name(r.machine, r.type, r.layouts);
  std::string units;
  for (std::size_t u = 0; u < select::gemm_units; ++u)
    units += std::string(u ? ", " : "") + select::name_of(static_cast<select::gemm_unit>(u));
  std::string out =
      "// SPDX-License-Identifier: Apache-2.0\n/// Costs of GEMM tiles on " + escaped(r.machine) +
      ", " + r.type + " operands" + (is_usual(r.layouts) ? "" : " that lie " + escaped(r.layouts)) +
      ": fitted to " + std::to_string(r.products.size()) +
      " products.\n// clang-format off\n//\n// " + escaped(command) + "\n// from what commit " +
      escaped(r.commit) + " measured; median error " + number(100 * fit.typical_error, 1) +
      "%.\n#pragma once\n\n#include \"algorithms/gemm/select/model.hpp\"\n\n"
      "namespace loops::select::tables {\n\n"
      "inline constexpr gemm_costs " +
      name +
      "_costs[] = {\n"
      "    // {rows, columns, tall, wide, split, stages, swapped, teams}, workers, "
      "paired, µs per\n    // {" +
      units + "}\n";
  for (const select::gemm_costs& c : fit.costs) {
    std::string last;  // what is not as usual
    if (c.tiling.swapped || c.tiling.teams > 1) last = c.tiling.swapped ? ", true" : ", false";
    if (c.tiling.teams > 1) last += ", " + std::to_string(c.tiling.teams);
    out += "    {{" + std::to_string(c.tiling.rows) + ", " + std::to_string(c.tiling.columns) +
           ", " + std::to_string(c.tiling.tall) + ", " + std::to_string(c.tiling.wide) + ", " +
           std::to_string(c.tiling.split) + ", " + std::to_string(c.tiling.stages) + last + "}, " +
           std::to_string(c.workers) + ", " + std::to_string(c.paired) + ", {";
    for (std::size_t u = 0; u < select::gemm_units; ++u)
      out += (u ? ", " : "") + number(c.us[u], 4) + "f";
    out += "}},\n";
  }
  out += "};\n\ninline constexpr gemm_table " + name + "{\n    .machine = \"" + escaped(r.machine) +
         "\",\n    .type = \"" + r.type + "\",\n    .depth = " + std::to_string(r.like.depth) +
         ",\n    .operand_bytes = " + std::to_string(r.like.operand_bytes) +
         ",\n    .result_bytes = " + std::to_string(r.like.result_bytes) +
         ",\n    .least = " + std::to_string(r.like.least) +
         ",\n    .bytes_per_us = " + number(fit.bytes_per_us, 0) +
         ",\n    .overlap = " + number(fit.overlap, 2) + ",\n    .costs = " + name + "_costs" +
         (is_usual(r.layouts) ? "" : ",\n    .layouts = \"" + escaped(r.layouts) + "\"") +
         "};\n// clang-format on\n\n}  // namespace loops::select::tables\n";
  return out;
}

}  // namespace loops::train
