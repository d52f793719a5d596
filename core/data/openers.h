// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/dataset.h"
#include "core/data/dataset_spec.h"

namespace dubito {

// One opener a scheme: the whole dataset, before items, classes, role and name are applied.

/// idx:IMAGES[,LABELS]: images [H, W] (or [H, W, C]) of bytes, or of other numbers, which may be
/// vectors too. Without LABELS a file beside the images
/// whose name says labels-idx1 in place of images-idx3 is taken; where there is none, the labels
/// are unknown and a note says so. As many labels as images, or an error that names both files.
[[nodiscard]] Expected<DatasetPtr> openIdx(const DatasetSpec& spec, RunContext& context);
/// IMAGES of "IMAGES[,LABELS]".
[[nodiscard]] std::string imagesOfIdx(const std::string& location);

/// cifar10:FILE[,FILE...]: the official binary batches, colour images [32, 32, 3]; rows count
/// across the files. Files stay on the disk until items are read.
[[nodiscard]] Expected<DatasetPtr> openCifar10(const DatasetSpec& spec, RunContext& context);
/// The paths of "FILE,FILE"; a comma may be part of a path, so a piece that is no file is joined
/// with the next.
[[nodiscard]] std::vector<std::string> filesOfCifar10(const std::string& location);
/// How many items a batch holds, by its size; nothing where it is missing.
[[nodiscard]] std::optional<std::int64_t> recordsOfCifar10(const std::string& path);

/// npz:FILE: images (or `x`, `X`, `data`) as [N, H, W], [N, H, W, C], [N, C, H, W] or [N, F], and
/// labels (or `label`, `y`, `Y`, `targets`) [N]. Where there are splits instead (x_train and
/// y_train, train_images and train_labels, likewise test and val), ?split=train|val|test chooses,
/// else the role: train and calibration take the training items, all else the test items; a note
/// says which.
[[nodiscard]] Expected<DatasetPtr> openNpz(const DatasetSpec& spec, RunContext& context);
/// Name of the array that openNpz takes the items from.
[[nodiscard]] Expected<std::string> itemsArrayOf(const DatasetSpec& spec);

/// folder:DIR: a class a subfolder, or flat. Decodes nothing.
[[nodiscard]] Expected<DatasetPtr> openFolder(const DatasetSpec& spec, RunContext& context);

/// csv:FILE: a manifest, one row an image. Decodes nothing; missing images are counted in a note
/// and fail when they are read. All columns beside path and label become attributes.
[[nodiscard]] Expected<DatasetPtr> openCsv(const DatasetSpec& spec, RunContext& context);

/// synthetic:blobs, synthetic:moons: points [2]; synthetic:glyphs: images. A pure function of seed
/// and item id.
[[nodiscard]] Expected<DatasetPtr> openSynthetic(const DatasetSpec& spec);

}  // namespace dubito
