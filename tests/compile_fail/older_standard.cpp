// SPDX-License-Identifier: Apache-2.0
/// The library under -std=c++17.
// expect: loops needs C\+\+20: -std=c\+\+20
#include "loops/loops.hpp"

int main() {}
