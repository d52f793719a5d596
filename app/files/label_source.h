// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/files/open_file.h"
#include "core/base/expected.h"

namespace dubito {

/// Whether a file or folder has labels of another program that a review starts from, rather than a
/// dataset or predictions: a table of images with scores, or what a format of such a program is
/// certain about. Reads the file.
[[nodiscard]] bool isLabelSource(const std::string& path, RunContext& context);

/// Whether a path could be labels, if that is what it is opened for: also folders of classes and
/// tables without scores, but no networks, runs and workspaces.
[[nodiscard]] bool canBeLabels(const std::string& path);

/// The labels of another program as a run, with the dataset of their images. The specification is
/// a path, annotations:LABELS,IMAGES, or a label store (.labels): then the given labels of the
/// dataset that it belongs to. Errors of readLabelRun(), openDataset(), datasetLabelRun() and
/// LabelStore.
[[nodiscard]] Expected<Opened> openLabels(const std::string& specification, RunContext& context);

/// One request for labels and one for a folder of images, opened together, become one: the images
/// of these labels. Other requests stay as they are. Reads the names in the folder.
[[nodiscard]] std::vector<OpenRequest> withTheirImages(std::vector<OpenRequest> requests,
                                                       RunContext& context);

/// annotations:LABELS,IMAGES with another folder of images.
[[nodiscard]] std::string labelsWithImages(const std::string& specification,
                                           const std::string& folder);

}  // namespace dubito
