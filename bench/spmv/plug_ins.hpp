// SPDX-License-Identifier: Apache-2.0
/// Peers from shared libraries that are named on the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spmv/contenders.hpp"
#include "spmv/peers/plug_in.hpp"

namespace loops::bench {

/// A shared library that is loaded as long as a copy of this lives.
class plug_in {
 public:
  /// Throws: io when the file cannot be loaded, unsupported when it offers no peer or another
  /// version of the interface.
  explicit plug_in(const std::string& file);

  /// What it offers, each once prepared before the timing and once, as "peer_NAME,once", inside.
  /// The contenders keep the library loaded. What it refuses throws `unsupported`, what it fails
  /// at `device`.
  template <class V>
  [[nodiscard]] std::vector<contender<V>> contenders() const;

 private:
  std::shared_ptr<const loops_spmv_peer_table> table_;
};

}  // namespace loops::bench
