// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "app/train/head_trainer.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// More epochs than this are drawn as every second one, every third one and so on, and the newest.
inline constexpr std::size_t kDrawnEpochs = 1000;

/// Loss of the training and of the validation items by epoch. A disc marks the epoch that is kept.
[[nodiscard]] CurvePlotValue headLossCurves(const HeadCourse& course);

/// Mean drop rate of each layer by epoch; empty unless rates are learned.
[[nodiscard]] CurvePlotValue meanRateCurves(const DropRateCourse& course);
/// Drop rates of the traced units of layer `layer` by epoch, and the mean of all its units.
[[nodiscard]] CurvePlotValue unitRateCurves(const DropRateCourse& course, std::size_t layer);

/// Positions of the layers with a drop rate per unit.
[[nodiscard]] std::vector<std::size_t> layersWithUnitRates(const DropRateCourse& course);

/// Epochs, losses, accuracy and ECE so far, and what the whole training has cost once it is done.
/// `trained` may be null.
[[nodiscard]] std::vector<KeyValue> headNumbers(const HeadCourse& course,
                                                const TrainedHead* trained);

/// Result of the training, in sentences.
[[nodiscard]] QString headSummary(const TrainedHead& trained);

/// "FOLDER/BACKBONE-DATASET-head.pt", or with a number if that file is there already. Looks at the
/// folder.
[[nodiscard]] QString freshHeadFile(const QString& folder, const std::string& backbone,
                                    const std::string& dataset);
/// `path`, or the same with a number if that file is there already.
[[nodiscard]] QString freshFile(const QString& path);

}  // namespace dubito
