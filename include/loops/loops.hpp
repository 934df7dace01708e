// SPDX-License-Identifier: Apache-2.0
/// What most programs need in one include: works, schedules of sparse works, algorithms, formats,
/// executors and files.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/for_each_tile.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/reduce_to_atoms.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"
#include "loops/io/matrix_market.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/version.hpp"
#include "loops/work/flattened.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/sorted_keys.hpp"
#include "loops/work/uniform.hpp"
