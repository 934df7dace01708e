// SPDX-License-Identifier: Apache-2.0
/// Conversions on the host between CSR and every other format: `to_coo`, `to_csc`, `to_ell`,
/// `to_bcsr<R, C>`, `to_dia`, and `to_csr` back. Each takes a view or an owner in host memory,
/// validates it, and returns an owner in host memory.
#pragma once

#include "loops/format/convert_bcsr.hpp"
#include "loops/format/convert_compressed.hpp"
#include "loops/format/convert_dia.hpp"
#include "loops/format/convert_ell.hpp"
#include "loops/format/validate.hpp"
