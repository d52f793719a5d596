// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/context/context_options.h"
#include "core/context/cooccurrence.h"

namespace dubito {

/// The scores C of pairs of classes.
struct PairScores {
  Array<double> scores;            ///< [K, K], finite, symmetric
  bool same_class_counted = true;  ///< false: pairs of one class count as unrelated
  std::vector<std::string> notes = {};

  /// Largest minus smallest score.
  [[nodiscard]] double range() const;
  /// The largest weight that PairFactors accepts for these scores; infinite if all are equal.
  [[nodiscard]] double maxWeight() const;
};

/// joint = (counts + smoothing) / their sum; C = log joint ("log"), or log joint minus the
/// logarithms of both marginals ("pmi") (theory, section 10). If pairs of one class are not
/// counted, they are left out of the sum and get the score of two independent objects. `name` is
/// the table in messages. kInvalidArgument for counts of 0 without smoothing.
[[nodiscard]] Expected<PairScores> pairScores(const Cooccurrence& cooccurrence,
                                              const ContextOptions& options);

/// Factors exp(w C) of pairs, divided by the largest, in double and as logarithms.
class PairFactors {
 public:
  /// kInvalidArgument if the largest and the smallest factor differ by more than e^600: sums over
  /// them would lose what matters.
  [[nodiscard]] static Expected<PairFactors> create(const PairScores& scores, double weight);

  [[nodiscard]] std::int64_t classCount() const { return factors_.extent(0); }
  /// exp(w C[a, .] - shift()), in (0, 1].
  [[nodiscard]] std::span<const double> row(std::int64_t a) const { return factors_.row(a); }
  /// w C[a, .] - shift(), <= 0.
  [[nodiscard]] std::span<const double> logRow(std::int64_t a) const { return logs_.row(a); }
  /// Largest minus smallest w C.
  [[nodiscard]] double logRange() const { return log_range_; }
  /// The largest w C.
  [[nodiscard]] double shift() const { return shift_; }

 private:
  PairFactors() = default;
  Array<double> factors_;
  Array<double> logs_;
  double log_range_ = 0.0;
  double shift_ = 0.0;
};

}  // namespace dubito
