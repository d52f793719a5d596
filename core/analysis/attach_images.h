// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"

namespace dubito {

/// A run that knows the images of its rows, and how they were found.
struct AttachedRun {
  std::shared_ptr<const Run> run;  ///< ids, name and specification are those of the dataset
  std::string how;                 ///< "by id" or "in order"
};

/// Gives the predictions of a file the images of a dataset: by id if the dataset has all of them,
/// else in order, row i to image i, if there are as many images as rows. If both know the label
/// of a row, it must be the same (the names of the classes are compared). A note of the run says
/// how the images were found. kInvalidArgument, naming both: other counts, or contradicting labels.
[[nodiscard]] Expected<AttachedRun> attachImages(const std::shared_ptr<const Run>& run,
                                                 const std::string& name, const Dataset& dataset);

}  // namespace dubito
