// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/metrics/run_reliability.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace dubito {

/// A popup with the options of a reliability diagram. Each change is applied at once; a click
/// outside closes the popup.
class ReliabilityForm : public QFrame {
  Q_OBJECT
 public:
  explicit ReliabilityForm(QWidget* parent = nullptr);

  /// Sets the available choices: `classes` have known probabilities (may be empty); `has_ood`
  /// enables the option for OOD items.
  void setChoices(const std::vector<QString>& classes, bool has_ood);
  void setOptions(const ReliabilityOptions& options);

 Q_SIGNALS:
  void edited(const ReliabilityOptions& options);

 private:
  void emitOptions();

  QSpinBox* bins_;
  QComboBox* binning_;
  QComboBox* class_;
  QCheckBox* with_ood_;
  std::vector<QString> classes_;
};

}  // namespace dubito
