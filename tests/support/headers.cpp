// SPDX-License-Identifier: Apache-2.0
/// A target that precompiles headers needs a source.
