// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/models/output_choice.h"

class QListWidget;
class QPushButton;

namespace dubito {

/// Asks which of the tensors returned by a network contains the class scores. Not modal.
class OutputDialog : public QDialog {
  Q_OBJECT
 public:
  /// `path` is the model file. Only `options` that can be class scores are selectable; the first of
  /// these is preselected.
  OutputDialog(const QString& path, std::vector<OutputOption> options, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The user chose the tensor named `key` for the model at `path`.
  void chosen(const QString& path, const std::string& key);

 private:
  std::vector<OutputOption> options_;
  QListWidget* list_;
  QPushButton* open_;
};

}  // namespace dubito
