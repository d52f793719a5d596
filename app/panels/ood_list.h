// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/session/session.h"

class QCheckBox;
class QVBoxLayout;

namespace dubito {

/// The OOD datasets of the workspace as check boxes: the ticked ones are included in a run.
class OodList : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the list.
  explicit OodList(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// The unticked datasets. Datasets opened later start ticked.
  [[nodiscard]] std::vector<DatasetPtr> leftOut() const;

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
