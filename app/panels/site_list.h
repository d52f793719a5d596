// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/models/model.h"

class QCheckBox;
class QVBoxLayout;

namespace dubito {

/// The dropout sites of a model as check boxes; unusable sites say why.
class SiteList : public QWidget {
  Q_OBJECT
 public:
  explicit SiteList(QWidget* parent = nullptr);

  void setSites(const std::vector<DropoutSite>& sites);
  /// Indices of the chosen sites; empty if all usable ones are chosen, as in McDropoutOptions.
  [[nodiscard]] std::vector<std::int64_t> chosen() const;
  /// True if a usable site is chosen, or the model has none.
  [[nodiscard]] bool valid() const;

 Q_SIGNALS:
  void edited();

 private:
  struct Entry {
    std::int64_t site;
    QCheckBox* box;
  };
  QVBoxLayout* layout_;
  std::vector<Entry> entries_;
};

}  // namespace dubito
