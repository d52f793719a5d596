// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "tests/core/network/list_dataset.h"

namespace dubito::test {

/// Calls `event` whenever the item at `event_at` is read.
class EventfulDataset : public ListDataset {
 public:
  explicit EventfulDataset(ListDataset items) : ListDataset(std::move(items)) {}
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    if (index == event_at) {
      event();
    }
    return ListDataset::read(index);
  }
  std::int64_t event_at = -1;
  std::function<void()> event;
};

}  // namespace dubito::test
