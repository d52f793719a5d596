// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/metrics/metric_info.h"

namespace dubito {

/// Glossary entry of a measure or metric.
struct GlossaryEntry {
  QString topic;      ///< help topic, see setHelpTopic
  QString group;      ///< "Per item", "Calibration"
  QString name;       ///< "Expected calibration error"
  QString symbol;     ///< abbreviation used in tables and legends: "ECE"
  QString meaning;    ///< two or three sentences
  QString formula;    ///< as Unicode text
  QString range;      ///< bounds and unit
  QString direction;  ///< "lower is better", "higher: more uncertain"
  QString source;     ///< paper and equation
};

[[nodiscard]] QString helpTopicOf(Measure measure);
[[nodiscard]] QString helpTopicOf(Metric metric);

/// The entries of all measures and metrics; entries of the same group are adjacent. Their texts are
/// those of describe(): core/metrics/measure.cpp and metric_info.cpp.
[[nodiscard]] std::vector<GlossaryEntry> glossaryEntries();

/// Topics of the entries that contain every word of `text`, in the order of `entries`.
[[nodiscard]] std::vector<QString> findInGlossary(const std::vector<GlossaryEntry>& entries,
                                                  const QString& text);

}  // namespace dubito
