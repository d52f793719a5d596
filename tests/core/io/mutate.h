// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace dubito::test {

/// `bytes` with one to eight random faults of the kinds that disks, transfers and enemies make:
/// flipped bits, changed bytes, huge length fields, parts cut, doubled or moved. Half of the faults
/// are in the first or last 256 bytes, where headers and directories are. Equal seeds give equal
/// faults.
[[nodiscard]] std::string mutate(std::string bytes, std::uint32_t seed);

}  // namespace dubito::test
