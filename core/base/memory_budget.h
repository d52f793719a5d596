// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

/// "1.3 GB", "840 MB": decimal units, at most three significant digits.
[[nodiscard]] std::string bytesText(double bytes);
/// Bytes of "4G", "800 MB", "1.5 GiB": K, M, G and T are powers of 1000, KiB, MiB, ... of 1024.
/// kInvalidArgument for anything else and for less than 1 MB.
[[nodiscard]] Expected<std::int64_t> parseBytes(const std::string& text);

/// Bytes that this process can still allocate without swapping: the kernel's available memory or
/// what is left in its control group (container), whichever is less. 0 if unknown. proc and sys are
/// mounted below `root`.
[[nodiscard]] std::int64_t availableMemory(const std::string& root = "/");
/// Physical memory in use by this process, in bytes; 0 if unknown.
[[nodiscard]] std::int64_t residentMemory();

/// How much memory a computation may use.
struct MemoryOptions {
  /// "auto" (kShareOfAvailable of the available memory), or a size for parseBytes.
  std::string memory = "auto";

  static constexpr double kShareOfAvailable = 0.6;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// RunContext::memory_budget_bytes for a computation that starts now. Call only after a
  /// successful check().
  [[nodiscard]] std::int64_t budget() const;
};

}  // namespace dubito
