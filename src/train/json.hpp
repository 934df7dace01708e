// SPDX-License-Identifier: Apache-2.0
/// Reads JSON into a tree of values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loops::train {

/// A JSON value. Members that are not there read as null.
struct json {
  enum class kind { null, truth, number, text, list, object };
  kind is = kind::null;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<json> list;
  std::map<std::string, json, std::less<>> object;

  [[nodiscard]] const json& operator[](std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return object.contains(name); }
  /// The number, or what stands in for it.
  [[nodiscard]] double number_or(double fallback) const {
    return is == kind::number ? number : fallback;
  }
};

/// Throws: `parse` with `name` and the line.
[[nodiscard]] json parse_json(std::string_view text, const std::string& name);

}  // namespace loops::train
