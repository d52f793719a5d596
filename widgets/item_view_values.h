// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// Predictive distribution of one item, as shown in the inspector.
struct ItemProbabilities {
  std::vector<QString> class_names;  ///< [K]
  std::vector<double> mean_probs;    ///< [K], in [0, 1]
  Array<float> samples;              ///< [T, K]; empty if the method has no draws
  Array<float> logits;               ///< [T, K] with mean 0 over K, or [1, K] without draws
  std::int64_t label_true = -1;      ///< -1: unknown
  std::int64_t label_predicted = -1;
};

/// One line of a list of measures.
struct KeyValue {
  QString name;
  QString value;       ///< 3-4 significant digits
  QString unit;        ///< shown after the value; may be empty
  QString tooltip;     ///< full value and formula
  QString topic = {};  ///< help topic, see setHelpTopic
};

/// One row of the metric table.
struct MetricTableRow {
  QString group;        ///< rows of one group are adjacent, in the given order
  QString name;         ///< "AUROC"
  QString score;        ///< column within the group ("entropy"); empty: a single value column
  QString value_text;   ///< 3-4 significant digits, with unit
  double value = 0.0;   ///< full value; NaN if undefined
  QString explanation;  ///< tooltip: definition and which direction is better
  QString topic = {};   ///< help topic, see setHelpTopic
};

/// What the gallery shows for one image; created on demand for visible items only.
struct GalleryItem {
  std::int64_t key = 0;     ///< identifies the image in thumbnailsNeeded and setThumbnail
  QString name;             ///< item name, for exported tables
  QString label_predicted;  ///< class name; empty: none
  QString label_true;       ///< class name; empty: unknown
  bool wrong = false;       ///< both labels known and different
  bool ood = false;         ///< out of distribution: none of the model's classes is correct
  QString measure;          ///< value of the sorting measure, short form
  QString tooltip;
};

}  // namespace dubito
