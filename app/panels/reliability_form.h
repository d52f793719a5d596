// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/metrics/reliability.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace dubito {

/// Options of a reliability diagram, applied as they change. A popup that closes on a click
/// outside.
class ReliabilityForm : public QFrame {
  Q_OBJECT
 public:
  explicit ReliabilityForm(QWidget* parent = nullptr);

  /// Available choices: the classes with known probabilities (may be empty), and whether there are
  /// OOD items.
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
