// SPDX-License-Identifier: Apache-2.0
/// Writes a model down: as a header of data, as a picture, and as a table of how well it does.
#pragma once

#include <string>
#include <vector>

#include "train/fit.hpp"
#include "train/judge.hpp"

namespace loops::train {

/// The header `select/NAME.hpp` that defines `loops::select::NAME`. `how` is the command that made
/// it, `remarks` lines that stand above the data.
[[nodiscard]] std::string to_header(const model& m, const std::string& how,
                                    const std::vector<std::string>& remarks);

/// The picture of both trees, an SVG.
[[nodiscard]] std::string to_picture(const model& m);

/// A candidate by name: "merge_path", "group_mapped:fitting / 2".
[[nodiscard]] std::string name_of(const model& m, std::size_t candidate);

/// A leaf or question in words: "group_mapped:8", "mean <= 12".
[[nodiscard]] std::string words_of(const model& m, const owned_tree& t, std::size_t line);

/// Scores as a table in text, best single schedules last.
[[nodiscard]] std::string to_text(const std::vector<score>& scores);

}  // namespace loops::train
