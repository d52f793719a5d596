// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/corrupted_dataset.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "core/data/items/wrapped_dataset.h"
#include "core/data/pixels/corrupted.h"

namespace dubito {
namespace {

class CorruptedDataset : public WrappedDataset {
 public:
  CorruptedDataset(DatasetPtr base, const Corruption& corruption, DatasetInfo info)
      : WrappedDataset(std::move(base), std::move(info)), corruption_(corruption) {}

  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    auto sample = base().read(index);
    return sample ? corrupted(*sample, corruption_, ids()[static_cast<std::size_t>(index)])
                  : sample;
  }

 private:
  Corruption corruption_;
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
