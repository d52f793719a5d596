// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/items/item_files.h"
#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// Photographs in a folder and its subfolders, decoded when read; the id of an item is pathId of
/// its relative path.
class FolderDataset : public Dataset, public ItemFiles {
 public:
  /// `paths` are relative to `folder`; labels, ids and the values of each attribute must have the
  /// same length. Throws std::invalid_argument if they differ.
  FolderDataset(DatasetInfo info, std::string folder, std::vector<std::string> paths,
                std::vector<std::int64_t> labels, std::vector<std::int64_t> ids,
                std::vector<Attribute> attributes = {});

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(paths_.size());
  }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return ids_; }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] std::span<const Attribute> attributes() const override { return attributes_; }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return paths_.at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override;
  [[nodiscard]] Expected<ReducedSample> readReduced(std::int64_t index,
                                                    std::int64_t min_side) const override;
  [[nodiscard]] std::string itemFile(std::int64_t index) const override;

 private:
  DatasetInfo info_;
  std::string folder_;
  std::vector<std::string> paths_;
  std::vector<std::int64_t> labels_;
  std::vector<std::int64_t> ids_;
  std::vector<Attribute> attributes_;
};

/// folder:DIR: one subfolder per class; or, with ?labels=prefix:N, the first N letters of each file
/// name are its label; or a folder without subfolders and labels. Opening decodes nothing.
[[nodiscard]] std::shared_ptr<const DatasetKind> folderKind();

}  // namespace dubito
