// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <deque>
#include <optional>

namespace dubito {

/// How fast a person decides: the rate of the newest decisions, because people speed up and take
/// breaks.
class ReviewRate {
 public:
  void start();
  /// A decision was made now.
  void add();
  /// Decisions a minute, without breaks; nothing before the third decision.
  [[nodiscard]] std::optional<double> perMinute() const;

 private:
  QElapsedTimer clock_;
  std::deque<qint64> times_;  ///< on clock_
};

}  // namespace dubito
