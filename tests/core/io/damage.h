// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dubito::test {

/// Names of the arrays of an .npz file.
[[nodiscard]] std::vector<std::string> entriesOf(const std::string& path);

/// Flips one bit of the array `entry` of an .npz file, counted from the start of its .npy header
/// and modulo its size.
void flipBit(const std::string& path, const std::string& entry, std::uint64_t bit);

}  // namespace dubito::test
