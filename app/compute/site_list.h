// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/models/model.h"

class QCheckBox;
class QVBoxLayout;

namespace dubito {

/// A check box for each dropout site of a model; an unusable site states the reason.
class SiteList : public QWidget {
  Q_OBJECT
 public:
  explicit SiteList(QWidget* parent = nullptr);

  void setSites(const std::vector<DropoutSite>& sites);
  /// Ids of the chosen sites. As in McDropoutOptions, empty means those that are on by default.
  [[nodiscard]] std::vector<std::int64_t> chosen() const;
  /// True if at least one usable site is chosen, or none is on by default.
  [[nodiscard]] bool valid() const;

 Q_SIGNALS:
  void edited();

 private:
  struct Entry {
    std::int64_t site;
    bool on_by_default;
    QCheckBox* box;
  };
  QVBoxLayout* layout_;
  std::vector<Entry> entries_;
};

}  // namespace dubito
