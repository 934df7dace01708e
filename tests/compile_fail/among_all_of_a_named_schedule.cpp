// SPDX-License-Identifier: Apache-2.0
/// A schedule that is named has nothing to choose from.
// expect: among_all widens a choice
#include <loops/schedule/among_all.hpp>
#include <loops/schedule/stream_k.hpp>

loops::schedule::among_all wrong{loops::schedule::stream_k{}};
