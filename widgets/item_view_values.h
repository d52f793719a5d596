// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// What the item inspector shows of one item's predictive distribution.
struct ItemProbabilities {
  std::vector<QString> class_names;  ///< [K]
  std::vector<double> mean_probs;    ///< [K], in [0, 1]
  Array<float> samples;              ///< [T, K]; empty where the method has no draws
  Array<float> logits;               ///< [T, K] with mean 0 over K, or [1, K] without draws
  std::int64_t label_true = -1;      ///< -1: not known
  std::int64_t label_predicted = -1;
};

/// One line of an aligned list of measures.
struct KeyValue {
  QString name;
  QString value;       ///< 3-4 significant digits
  QString unit;        ///< after the value, or empty
  QString tooltip;     ///< full value and formula
  QString topic = {};  ///< for help, see setHelpTopic
};

/// One row of the metric table.
struct MetricTableRow {
  QString group;  ///< rows of one group stand together, in the order in which they come
  QString name;   ///< "AUROC"
  QString score;  ///< column inside the group ("entropy"); empty: the group has one value column
  QString value_text;   ///< 3-4 significant digits, with unit
  double value = 0.0;   ///< full value, NaN where not defined
  QString explanation;  ///< tooltip: what it is and which way is better
  QString topic = {};   ///< for help, see setHelpTopic
};

/// What the gallery shows under and around one image; made on demand for the visible items only.
struct GalleryItem {
  std::int64_t key = 0;     ///< names the image in thumbnailsNeeded and setThumbnail
  QString name;             ///< what the item is called, for exported tables
  QString label_predicted;  ///< class name; empty: none
  QString label_true;       ///< class name; empty: not known
  bool wrong = false;       ///< both known and different
  bool ood = false;         ///< out of distribution: no class of the model is right
  QString measure;          ///< value of the measure that sorts, short
  QString tooltip;
};

}  // namespace dubito
