// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/recent_reviews.h"

#include <algorithm>

#include "core/labels/label_store.h"

namespace dubito {
namespace {

constexpr const char* kList = "review/recent";

}  // namespace

QList<RecentReview> RecentReviews::list() const {
  QList<RecentReview> reviews;
  const int count = settings_.beginReadArray(QLatin1String(kList));
  for (int i = 0; i < std::min(count, kMaximum); ++i) {
    settings_.setArrayIndex(i);
    reviews.push_back({settings_.value(QStringLiteral("store")).toString(),
                       settings_.value(QStringLiteral("name")).toString(),
                       settings_.value(QStringLiteral("items")).toLongLong()});
  }
  settings_.endArray();
  return reviews;
}

void RecentReviews::add(const RecentReview& review) {
  QList<RecentReview> reviews = list();
  reviews.removeIf([&review](const RecentReview& other) { return other.store == review.store; });
  reviews.prepend(review);
  write(reviews.mid(0, kMaximum));
}

void RecentReviews::remove(const QString& store) {
  QList<RecentReview> reviews = list();
  if (reviews.removeIf([&store](const RecentReview& other) { return other.store == store; }) > 0) {
    write(reviews);
  }
}

void RecentReviews::write(const QList<RecentReview>& reviews) {
  settings_.remove(QLatin1String(kList));
  settings_.beginWriteArray(QLatin1String(kList), static_cast<int>(reviews.size()));
  for (int i = 0; i < reviews.size(); ++i) {
    settings_.setArrayIndex(i);
    settings_.setValue(QStringLiteral("store"), reviews[i].store);
    settings_.setValue(QStringLiteral("name"), reviews[i].name);
    settings_.setValue(QStringLiteral("items"), static_cast<qlonglong>(reviews[i].items));
  }
  settings_.endArray();
}

Expected<std::int64_t> countDecidedItems(const std::string& store) {
  const auto opened = LabelStore::open(store, StoreMode::kReadOnly);
  if (!opened) {
    return failWith(opened);
  }
  const auto labels = (*opened)->labels();
  if (!labels) {
    return failWith(labels);
  }
  return std::ranges::count_if(*labels, [](const PresentLabel& label) {
    return label.origin == LabelOrigin::kPerson && settles(label.action);
  });
}

}  // namespace dubito
