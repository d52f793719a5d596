// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/models/output_choice.h"

class QListWidget;
class QPushButton;

namespace dubito {

/// Asks which of the tensors that a network returns has the class scores; not modal.
class OutputDialog : public QDialog {
  Q_OBJECT
 public:
  /// `path` of the model. Those of `options` that can be scores can be chosen, the first is.
  OutputDialog(const QString& path, std::vector<OutputOption> options, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The model is to be opened with the tensor of that name.
  void chosen(const QString& path, const std::string& key);

 private:
  std::vector<OutputOption> options_;
  QListWidget* list_;
  QPushButton* open_;
};

}  // namespace dubito
