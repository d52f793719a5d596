// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/metrics/reliability.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace dubito {

/// Asks how a reliability diagram is to be made; what is changed holds at once. Pops up, and closes
/// where something else is clicked.
class ReliabilityForm : public QFrame {
  Q_OBJECT
 public:
  explicit ReliabilityForm(QWidget* parent = nullptr);

  /// What there is to choose from: the classes whose probabilities are known (may be none), and
  /// whether there are OOD items.
  void setChoices(const std::vector<QString>& classes, bool has_ood);
  void setOptions(const ReliabilityOptions& options);

 Q_SIGNALS:
  void edited(const ReliabilityOptions& options);

 private:
  void tell();

  QSpinBox* bins_;
  QComboBox* width_;
  QComboBox* of_;
  QCheckBox* with_ood_;
  std::vector<QString> classes_;
};

}  // namespace dubito
