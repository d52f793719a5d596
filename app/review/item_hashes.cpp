// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/item_hashes.h"

#include <exception>
#include <utility>

#include "core/data/items/sample_hash.h"

namespace dubito {
namespace {

std::string hashOfItem(const AnalysisPart& part, std::int64_t row) {
  const std::int64_t position = part.dataset_index[static_cast<std::size_t>(row)];
  if (!part.dataset || position < 0) {
    return {};
  }
  try {
    const Expected<Sample> sample = part.dataset->read(position);
    return sample ? sampleHash(*sample) : std::string();
  } catch (const std::exception&) {
    return {};  // it is shown as an image that cannot be read
  }
}

}  // namespace

ItemHashes::ItemHashes(AnalysisPtr analysis) : analysis_(std::move(analysis)) {}

void ItemHashes::put(std::int64_t row, std::string hash) {
  const std::lock_guard lock(mutex_);
  hashes_[row] = std::move(hash);
}

bool ItemHashes::has(std::int64_t row) const {
  const std::lock_guard lock(mutex_);
  return hashes_.contains(row);
}

std::string ItemHashes::of(std::int64_t row) {
  std::unique_lock lock(mutex_);
  read_.wait(lock, [this, row] { return !reading_.contains(row); });
  if (const auto found = hashes_.find(row); found != hashes_.end()) {
    return found->second;
  }
  reading_.insert(row);
  lock.unlock();
  const std::string hash = hashOfItem(analysis_->in(), row);
  lock.lock();
  reading_.erase(row);
  if (!hash.empty()) {
    hashes_[row] = hash;
  }
  lock.unlock();
  read_.notify_all();
  return hash;
}

}  // namespace dubito
