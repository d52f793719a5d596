// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/session/session.h"

class QCheckBox;
class QVBoxLayout;

namespace dubito {

/// A check box for each OOD dataset of the workspace; the ticked datasets are included in runs.
class OodList : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the list.
  explicit OodList(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// The unticked datasets. A newly opened dataset is ticked.
  [[nodiscard]] std::vector<DatasetPtr> excluded() const;

 Q_SIGNALS:
  void edited();

 private:
  struct Entry {
    DatasetPtr dataset;
    QCheckBox* box;
  };
  void refresh();

  Session& session_;
  QVBoxLayout* layout_;
  std::vector<Entry> entries_;
};

}  // namespace dubito
