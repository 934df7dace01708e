// SPDX-License-Identifier: Apache-2.0
/// The schedule that a name on the command line means, of either list.
#pragma once

#include "loops/core/error.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"

#include <string>

namespace loops::cli {

/// `{name, schedule}` for a name that `find` knows, `auto` or `measured`. Throws: invalid_argument
/// with all of these, those of `list` at the end.
template <class Request, class Find, class List>
Request request_named(const char* what, const std::string& name, const Find& find,
                      const List& list) {
  if (name == "auto" || name == "automatic") return {"auto", schedule::automatic{}};
  if (name == "measured") return {name, schedule::measured{}};
  try {
    return {name, find(name)};
  } catch (const error&) {
    std::string names = " all auto measured";
    for (const auto& s : list) names += " " + s.name;
    throw error(errc::invalid_argument,
                std::string("there is no ") + what + " '" + name + "'; there are:" + names);
  }
}

}  // namespace loops::cli
