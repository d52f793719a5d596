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

/// Rate and remaining time from progress reports: over the last seconds, so that a slow start does
/// not spoil the figure. A stage with a total of its own starts anew; stages of one total are parts
/// of one progress.
class ProgressEstimate {
 public:
  /// `seconds` is any clock that never goes back.
  void update(const Progress& progress, double seconds);
  void reset() { reports_.clear(); }
  /// Items a second; 0 until two reports are 0.2 s apart.
  [[nodiscard]] double rate() const;
  /// Seconds; negative where it is not known.
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

/// "41 200 items/s": groups of three digits, at most three significant ones; empty for 0.
[[nodiscard]] QString rateText(double items_per_second);
/// "0:07 left", "1:02:03 left"; empty where negative.
[[nodiscard]] QString remainingText(double seconds);

/// The status line of the running job: what it does, bar, share, rate, remaining time, cancel; at
/// rest only a text.
class ProgressStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ProgressStrip(QWidget* parent = nullptr);

  /// Shows the bar. `title` names the job ("MC dropout"); a rate is shown if its progress
  /// `counts_items`.
  void start(const QString& title, bool counts_items = true);
  void setProgress(const Progress& progress);
  /// Hides the bar and shows `text`.
  void finish(const QString& text);
  /// The muted text at the right end (device, number of items, threshold).
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
