// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/models/output_choice.h"

class QListWidget;
class QPushButton;

namespace dubito {

/// Asks which of the tensors returned by a network contains the class scores; not modal.
class OutputDialog : public QDialog {
  Q_OBJECT
 public:
  /// `path` of the model. Only those of `options` that can be scores are selectable; the first is
  /// preselected.
  OutputDialog(const QString& path, std::vector<OutputOption> options, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Open the model with the tensor of that name.
  void chosen(const QString& path, const std::string& key);

 private:
  std::vector<OutputOption> options_;
  QListWidget* list_;
  QPushButton* open_;
};

}  // namespace dubito
