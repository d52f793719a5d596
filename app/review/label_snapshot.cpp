// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/label_snapshot.h"

#include <utility>

namespace dubito {

Expected<LabelSnapshot> readSnapshot(const std::string& place) {
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  auto classes = store ? (*store)->classes() : failWith(store);
  auto labels = classes ? (*store)->labels() : failWith(classes);
  auto journal = labels ? (*store)->journal() : failWith(labels);
  if (!journal) {
    return failWith(journal);
  }
  return LabelSnapshot{*std::move(journal), *std::move(labels), *std::move(classes)};
}

}  // namespace dubito
