// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/item_hashes.h"

#include <exception>
#include <memory>
#include <utility>

#include "core/data/items/sample_hash.h"

namespace dubito {
namespace {

std::string hashOfItem(const Dataset& dataset, std::int64_t index) {
  try {
    const auto sample = dataset.read(index);
    return sample ? sampleHash(*sample) : std::string();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

void ItemHashes::start(const DatasetPtr& dataset, const std::vector<Item>& items) {
  Pending before = std::exchange(pending_, {});
  if (std::exchange(dataset_, dataset) != dataset) {
    before.clear();
  }
  for (const Item& item : items) {
    if (const auto known = before.find(item.id); known != before.end()) {
      pending_.insert(*known);
      continue;
    }
    const auto hash = std::make_shared<std::promise<std::string>>();
    const std::shared_ptr<const void> wanted = std::make_shared<int>();
    pending_.emplace(item.id, Hash{hash->get_future().share(), wanted});
    thread_.post(std::make_shared<RunControl>(),
                 [hash, dataset, index = item.index, wanted = std::weak_ptr(wanted)] {
                   if (!wanted.expired()) {
                     hash->set_value(hashOfItem(*dataset, index));
                   }
                 });
  }
}

void addContentHashes(const ItemHashes::Pending& hashes, std::vector<Decision>& decisions) {
  for (Decision& decision : decisions) {
    const auto hash = hashes.find(decision.item);
    if (hash == hashes.end()) {
      continue;
    }
    try {
      decision.content_hash = hash->second.text.get();
    } catch (const std::future_error&) {
      // The window is closing: the decision counts without it.
    }
  }
}

}  // namespace dubito
