// SPDX-License-Identifier: Apache-2.0
/// Reads and writes Matrix Market files.
#pragma once

#include "loops/io/matrix_market_reader.hpp"
#include "loops/io/matrix_market_writer.hpp"
