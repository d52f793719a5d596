// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSettings>
#include <QString>
#include <cstdint>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// A review that can be continued.
struct RecentReview {
  QString store;           ///< file or address of its labels; opening it continues the review
  QString name;            ///< of the images
  std::int64_t items = 0;  ///< images under review

  friend bool operator==(const RecentReview&, const RecentReview&) = default;
};

/// The reviews that were worked on last, newest first, in settings owned by the caller.
class RecentReviews {
 public:
  static constexpr int kMaximum = 6;

  explicit RecentReviews(QSettings& settings) : settings_(settings) {}

  [[nodiscard]] QList<RecentReview> list() const;
  /// Moves the review to the front, adding it if necessary.
  void add(const RecentReview& review);
  void remove(const QString& store);

 private:
  void write(const QList<RecentReview>& reviews);

  QSettings& settings_;
};

/// Items of a store with a final decision of a person. Reads the file; errors of LabelStore::open.
[[nodiscard]] Expected<std::int64_t> countDecidedItems(const std::string& store);

}  // namespace dubito
