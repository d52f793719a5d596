// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/corrupted_dataset.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "core/data/items/stored_range.h"
#include "core/data/pixels/corrupted.h"

namespace dubito {
namespace {

class CorruptedDataset : public Dataset, public StoredRange {
 public:
  CorruptedDataset(DatasetPtr base, const Corruption& corruption, DatasetInfo info)
      : base_(std::move(base)), corruption_(corruption), info_(std::move(info)) {}

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override { return base_->size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return base_->ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return base_->labels(); }
  [[nodiscard]] std::span<const Attribute> attributes() const override {
    return base_->attributes();
  }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_->itemName(index);
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    auto sample = base_->read(index);
    return sample ? corrupted(*sample, corruption_, ids()[static_cast<std::size_t>(index)])
                  : sample;
  }
  /// Of the items before the corruption, so that both are scaled alike.
  [[nodiscard]] std::optional<ValueRange> storedRange() const override {
    return dubito::storedRange(*base_);
  }

 private:
  DatasetPtr base_;
  Corruption corruption_;
  DatasetInfo info_;
};

}  // namespace

DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption, DatasetInfo info) {
  return std::make_shared<const CorruptedDataset>(std::move(base), corruption, std::move(info));
}

DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption) {
  DatasetInfo info = base->info();
  info.name = fmt::format("{} · {} {}", info.name, toString(corruption.kind), corruption.severity);
  if (!info.spec.empty()) {
    info.spec += fmt::format("{}corrupt={}", info.spec.find('?') == std::string::npos ? "?" : "&",
                             toString(corruption));
  }
  return corruptedDataset(std::move(base), corruption, std::move(info));
}

}  // namespace dubito
