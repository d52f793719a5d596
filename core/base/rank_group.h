// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The processes ("ranks") that share one computation. Every rank makes the same calls in the same
/// order; each call waits for the others.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  /// Index of this process, in [0, size()).
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Replaces each value by its sum over all ranks; the results are bitwise identical on all ranks.
  virtual void sum(std::span<double> values) = 0;
  /// Returns the texts of all ranks, in rank order, on every rank.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Terminates all processes immediately, including those that are waiting for this one.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// Makes all ranks return the same result: success if all succeeded, else the error of the lowest
/// failed rank, whose context then begins with kAgreedFailure. The message names that rank unless
/// all failed. An error that the ranks have already agreed on is returned unchanged, without
/// communication.
[[nodiscard]] Status agree(RankGroup& ranks, const Status& mine);
inline constexpr const char* kAgreedFailure = "agreed: ";

/// Returns the text of rank 0 on every rank.
[[nodiscard]] std::string fromFirst(RankGroup& ranks, const std::string& text);

}  // namespace dubito
