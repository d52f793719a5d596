// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <cstdint>
#include <vector>

#include "app/pictures/thumbnail_loader.h"

namespace dubito {

/// Small pictures of a page of in-distribution items and of the next page. Those of other pages are
/// dropped.
class PagePictures : public QObject {
  Q_OBJECT
 public:
  explicit PagePictures(QObject* parent = nullptr);

  /// Loads the pictures of these rows of the run, `rows` before `next_rows`. `side` in pixels is
  /// the largest that is needed: pages of photographs would not fit into memory.
  void load(const AnalysisPtr& analysis, int side, const std::vector<std::int64_t>& rows,
            const std::vector<std::int64_t>& next_rows);
  void clear();
  /// By keyOf(item); null: it cannot be read.
  [[nodiscard]] const QHash<qint64, QImage>& pictures() const { return pictures_; }
  [[nodiscard]] bool busy() const { return loader_.pending() > 0; }

 Q_SIGNALS:
  void loaded(qint64 key, const QImage& image);

 private:
  ThumbnailLoader loader_;
  AnalysisPtr analysis_;
  int side_ = 0;
  PictureSource source_;
  QHash<qint64, QImage> pictures_;
};

}  // namespace dubito
