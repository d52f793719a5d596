// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/session/session.h"
#include "core/analysis/comparison.h"
#include "core/metrics/paired_difference.h"

class QLabel;
class QPushButton;

namespace dubito {

/// The difference between a compared run and the run shown as one text, and a button that selects
/// the images on which the two disagree.
class DifferenceLine : public QWidget {
  Q_OBJECT
 public:
  /// The arguments outlive the line.
  DifferenceLine(Session& session, WindowJobs& jobs, QWidget* parent = nullptr);

  /// Shows `text` instead of a difference.
  void setText(const QString& text);
  /// Computes the difference between `run` and the run shown.
  void compare(const ComparedRun& run);

 Q_SIGNALS:
  /// Asks the window to open the Images page, because images were selected.
  void imagesRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Comparison of another run with the run shown.
  struct Difference {
    std::string other;  ///< name of the run compared with the run shown
    std::string shown;
    Expected<PairedComparison> comparison;
    /// Whether the predicted classes differ, for each row of the run shown.
    std::shared_ptr<const std::vector<bool>> disagreements;
  };
  void show(const QString& text);
  void describe(const Difference& difference);
  void offerDisagreements(const Difference& difference);
  /// Makes room for all lines of the text.
  void fitHeight();

  Session& session_;
  Job job_;
  QLabel* text_;
  QPushButton* disagreements_;
  PickedItems offered_;  ///< the items that disagreements_ selects
};

}  // namespace dubito
