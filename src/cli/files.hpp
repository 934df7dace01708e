// SPDX-License-Identifier: Apache-2.0
/// Files that a command line names: read whole, written whole, and tried before the work begins.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace loops::cli {

/// A whole file. Throws: `io`.
[[nodiscard]] std::string read_file(const std::string& path);

/// The path without its folders, which are those of one machine.
[[nodiscard]] std::string file_name(const std::string& path);

/// Finds out before anything is measured whether the outputs can be written; empty paths are none.
/// Where one is "-", it has standard output for itself: what people read goes to standard error
/// from then on. Throws: `io` for a file that cannot be written, `invalid_argument` for two "-",
/// for two that are the same file, and for one with an ending of `inputs`, which the command reads:
/// where a shell puts names in place of a pattern, the first would be written over.
void prepare_outputs(std::initializer_list<std::string> paths,
                     std::initializer_list<std::string_view> inputs = {".mtx", ".mtx.gz"});

/// Throws: `invalid_argument` for a path that says it is something else than a picture.
void require_picture(const std::string& path);

/// Writes a whole file, or standard output for "-". Throws: `io`.
void write_file(const std::string& path, const std::string& text);

/// Writes what standard output still holds. Throws: `io` when it, or anything before, was lost.
void finish_standard_output();

}  // namespace loops::cli
