// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

/// A dataset in memory; items can be made unreadable.
class ListDataset : public Dataset {
 public:
  ListDataset(std::vector<Sample> samples, std::vector<std::int64_t> ids,
              std::vector<std::int64_t> labels)
      : samples_(std::move(samples)), ids_(std::move(ids)), labels_(std::move(labels)) {
    info_.name = "list";
  }

  DatasetInfo& info() { return info_; }
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(ids_.size());
  }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return std::string("#").append(std::to_string(ids_[static_cast<std::size_t>(index)]));
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    if (broken_.count(index) != 0) {
      return fail(ErrorCode::kMalformed, "broken on purpose");
    }
    return samples_[static_cast<std::size_t>(index)];
  }

  void breakItem(std::int64_t index) { broken_.insert(index); }
  std::vector<Sample>& samples() { return samples_; }
  std::vector<std::int64_t>& itemLabels() { return labels_; }

  [[nodiscard]] ListDataset reversed() const {
    ListDataset other = *this;
    std::reverse(other.samples_.begin(), other.samples_.end());
    std::reverse(other.ids_.begin(), other.ids_.end());
    std::reverse(other.labels_.begin(), other.labels_.end());
    return other;
  }

 private:
  DatasetInfo info_;
  std::vector<Sample> samples_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::set<std::int64_t> broken_;
};

/// `count` grey images of side x side with pixels from a simple recurrence, ids far apart.
inline ListDataset madeImages(std::int64_t count, std::int64_t side) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(side * side));
    for (std::uint8_t& pixel : pixels) {
      state = state * 1664525U + 1013904223U;
      pixel = static_cast<std::uint8_t>(state >> 24U);
    }
    samples.emplace_back(Image8{Array<std::uint8_t>::fromVector({side, side, 1}, pixels)});
    ids.push_back(1000003 * i + 7);
    labels.push_back(i % 4);
  }
  return {std::move(samples), std::move(ids), std::move(labels)};
}

inline ModelPtr loadFixture(const std::string& name) {
  RunContext context;
  auto model = loadModel((sourceDir() / "tests/data/models" / name).string(), {}, context);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    return nullptr;
  }
  return *model;
}

inline double largestDifference(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) {
    return 1e9;
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return largest;
}

}  // namespace dubito::test
