// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_records.h"

#include <utility>

#include "core/labels/label_store.h"

namespace dubito {

Expected<LabelRecords> readRecords(LabelStore& store) {
  auto classes = store.classes();
  auto labels = classes ? store.labels() : failWith(classes);
  auto journal = labels ? store.journal() : failWith(labels);
  if (!journal) {
    return failWith(journal);
  }
  return LabelRecords{*std::move(journal), *std::move(labels), *std::move(classes)};
}

Expected<LabelRecords> readRecords(const std::string& place) {
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  return store ? readRecords(**store) : failWith(store);
}

}  // namespace dubito
