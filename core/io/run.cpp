// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run.h"

namespace dubito {

std::int64_t Run::classCount() const {
  return probs ? std::visit([](const auto& array) { return array.extent(1); }, *probs) : 0;
}

double Run::prob(std::int64_t i, std::int64_t k) const {
  return std::visit(
      [&](const auto& array) { return double{array.data()[i * array.extent(1) + k]}; }, *probs);
}

std::string Run::className(std::int64_t k) const {
  const auto index = static_cast<std::size_t>(k);
  return k >= 0 && index < meta.class_names.size() ? meta.class_names[index] : std::to_string(k);
}

Run withoutPredictions(const Run& run) {
  Run items;
  items.labels = run.labels;
  items.ids = run.ids;
  items.meta = run.meta;
  removeNotes(items.meta.notes, NoteKind::kGaugedItems);
  removeNotes(items.meta.notes, NoteKind::kLabelFit);
  return items;
}

}  // namespace dubito
