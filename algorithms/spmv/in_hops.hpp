// SPDX-License-Identifier: Apache-2.0
/// How one asks for products in two hops.
#pragma once

namespace loops {

/// Asks for products that touch memory side by side, in two hops: over CSC and with A transposed
/// products go to their rows (`hops`), over CSR x goes to the nonzeros (`column_lists`). For
/// matrices whose rows read all over memory. Bitwise the same on every run.
struct in_hops {};

}  // namespace loops
