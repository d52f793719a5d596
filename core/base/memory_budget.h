// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

inline constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

/// "1.3 GB", "840 MB"; units of 1000, three digits.
[[nodiscard]] std::string bytesText(double bytes);
/// Bytes of "4G", "800 MB", "1.5 GiB"; K, M, G and T count by 1000, KiB, MiB, ... by 1024.
/// kInvalidArgument for anything else and for less than 1 MB.
[[nodiscard]] Expected<std::int64_t> parseBytes(const std::string& text);

/// Bytes that this process can still allocate without swapping: what the kernel has available, or
/// what its control group (container) has left, whichever is less. `root` is where proc and sys are
/// mounted. 0 if unknown.
[[nodiscard]] std::int64_t availableMemory(const std::string& root = "/");
/// Bytes of physical memory that this process uses now; 0 if unknown.
[[nodiscard]] std::int64_t residentMemory();

/// How much memory a computation may use.
struct MemoryOptions {
  /// "auto" (kShareOfAvailable of what is available), or a size for parseBytes.
  std::string memory = "auto";

  static constexpr double kShareOfAvailable = 0.6;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// RunContext::memory_budget_bytes of a computation that starts now; only after a successful
  /// check().
  [[nodiscard]] std::int64_t budget() const;
};

}  // namespace dubito
