// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/metrics/metric_info.h"

namespace dubito {

/// What the glossary says of a measure or metric.
struct GlossaryEntry {
  QString topic;      ///< its name for help, see setHelpTopic
  QString group;      ///< "One item", "Calibration"
  QString name;       ///< "Expected calibration error"
  QString symbol;     ///< as tables and legends show it: "ECE"
  QString meaning;    ///< two or three sentences
  QString formula;    ///< in Unicode
  QString range;      ///< bounds and unit
  QString direction;  ///< "lower is better", "higher: more uncertain"
  QString source;     ///< paper and equation
};

[[nodiscard]] QString helpTopicOf(Measure measure);
[[nodiscard]] QString helpTopicOf(Metric metric);

/// Every measure and every metric, those of one group together.
[[nodiscard]] std::vector<GlossaryEntry> glossaryEntries();

/// The topics of the entries that contain every word of `text` somewhere, in the order of
/// `entries`.
[[nodiscard]] std::vector<QString> findInGlossary(const std::vector<GlossaryEntry>& entries,
                                                  const QString& text);

}  // namespace dubito
