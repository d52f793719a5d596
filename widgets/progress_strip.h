// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <deque>

#include "core/base/run_context.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace dubito {

/// Estimates the rate and the remaining time from progress reports of the last seconds, so that a
/// slow start does not distort the estimate. A stage with a different total restarts the estimate;
/// a stage with the same total continues the previous progress.
class ProgressEstimate {
 public:
  /// `seconds` is the current time of any monotonic clock.
  void update(const Progress& progress, double seconds);
  void reset() { reports_.clear(); }
  /// Items per second; 0 until the reports span at least 0.2 s.
  [[nodiscard]] double rate() const;
  /// Remaining time in seconds; negative if unknown.
  [[nodiscard]] double remaining() const;

 private:
  struct Report {
    double seconds;
    std::int64_t done;
  };
  std::string stage_;
  std::int64_t total_ = 0;
  std::deque<Report> reports_;
};

/// "41 200 items/s", at most three significant digits; empty for 0.
[[nodiscard]] QString rateText(double items_per_second);
/// "0:07 left", "1:02:03 left"; empty if negative.
[[nodiscard]] QString remainingText(double seconds);

/// Status line: title, progress bar, percentage, rate, remaining time and a Cancel button for the
/// running job. When idle, shows only a text.
class ProgressStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ProgressStrip(QWidget* parent = nullptr);

  /// Shows the progress bar. `title` names the job ("MC dropout"). The rate is shown only if
  /// `counts_items`, which means that progress is counted in items.
  void start(const QString& title, bool counts_items = true);
  void setProgress(const Progress& progress);
  /// Hides the progress bar and shows `text`.
  void finish(const QString& text);
  /// Sets the muted text at the right end (device, number of items, threshold).
  void setInfo(const QString& text);
  [[nodiscard]] bool running() const { return running_; }

 Q_SIGNALS:
  void cancelRequested();

 private:
  QLabel* title_;
  QProgressBar* bar_;
  QLabel* detail_;
  QPushButton* cancel_;
  QLabel* info_;
  QString title_text_;
  ProgressEstimate estimate_;
  bool running_ = false;
  bool counts_items_ = true;
};

}  // namespace dubito
