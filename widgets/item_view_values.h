// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// The predictive distribution of one item, for the inspector.
struct ItemProbabilities {
  std::vector<QString> class_names;  ///< [K]
  std::vector<double> mean_probs;    ///< [K], means over the draws, in [0, 1]
  Array<float> samples;              ///< class probabilities of the draws, [T, K]; empty: none
  Array<float> logits;               ///< [T, K], or [1, K] without draws; the mean over K is 0
  std::int64_t label_true = -1;      ///< -1: unknown
  std::int64_t label_predicted = -1;
};

/// A line of a KeyValueList.
struct KeyValue {
  QString name;
  QString value;       ///< 3-4 significant digits
  QString unit;        ///< shown after the value; may be empty
  QString tooltip;     ///< full value and formula
  QString topic = {};  ///< help topic, see setHelpTopic
};

/// A row of a MetricTable.
struct MetricTableRow {
  QString group;        ///< rows of one group are adjacent, in the given order
  QString name;         ///< "AUROC"
  QString score;        ///< column within the group ("entropy"); empty if it has one column
  QString value_text;   ///< 3-4 significant digits, with unit
  double value = 0.0;   ///< full value; NaN if undefined
  QString explanation;  ///< tooltip: definition and which direction is better
  QString topic = {};   ///< help topic, see setHelpTopic
};

/// An item of an ImageGallery.
struct GalleryItem {
  std::int64_t key = 0;     ///< identifies the image in thumbnailsNeeded and setThumbnail
  QString name;             ///< item name, for exported tables
  QString label_predicted;  ///< class name; empty if there is no prediction
  QString label_true;       ///< class name; empty if unknown
  bool wrong = false;       ///< both labels known and different
  bool ood = false;         ///< out of distribution: none of the model's classes is correct
  QString measure;          ///< rounded value of the measure used for sorting
  QString tooltip;
  QColor swatch = {};  ///< of a small square before the label; invalid: none
};

}  // namespace dubito
