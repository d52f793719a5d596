// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/glossary_entries.h"

#include <QStringList>
#include <algorithm>

#include "app/words/words.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

QString capitalised(QString text) {
  text[0] = text[0].toUpper();
  return text;
}

QString groupOf(MetricSubject subject) {
  switch (subject) {
    case MetricSubject::kItem:
      return tr("Per item");
    case MetricSubject::kPrediction:
      return tr("Prediction quality");
    case MetricSubject::kCalibration:
      return tr("Calibration");
    case MetricSubject::kRanking:
      return tr("Ranking and rejection");
    case MetricSubject::kApproximation:
      return tr("Laplace approximation");
  }
  return {};
}

GlossaryEntry entryOf(Measure measure) {
  const MeasureInfo& info = describe(measure);
  return {.topic = helpTopicOf(measure),
          .group = groupOf(MetricSubject::kItem),
          .name = capitalised(QString::fromUtf8(info.name)),
          .symbol = QString::fromUtf8(info.symbol),
          .meaning = QString::fromUtf8(info.meaning),
          .formula = QString::fromUtf8(info.equation),
          .range = QString::fromUtf8(info.range),
          .direction = QString::fromStdString(directionOf(measure)),
          .source = QString::fromUtf8(info.source)};
}

GlossaryEntry entryOf(Metric metric) {
  const MetricInfo& info = describe(metric);
  return {.topic = helpTopicOf(metric),
          .group = groupOf(info.subject),
          .name = capitalised(QString::fromUtf8(info.name)),
          .symbol = QString::fromUtf8(info.symbol),
          .meaning = QString::fromUtf8(info.meaning),
          .formula = QString::fromUtf8(info.formula),
          .range = QString::fromUtf8(info.range),
          .direction = QString::fromStdString(directionOf(metric)),
          .source = QString::fromUtf8(info.source)};
}

}  // namespace

QString helpTopicOf(Measure measure) {
  return QString::fromUtf8(describe(measure).key);
}

QString helpTopicOf(Metric metric) {
  return QString::fromUtf8(describe(metric).key);
}

std::vector<GlossaryEntry> glossaryEntries() {
  std::vector<GlossaryEntry> entries;
  for (const Measure measure : allMeasures()) {
    entries.push_back(entryOf(measure));
  }
  auto metrics = allMetrics();
  std::ranges::stable_sort(metrics, {}, [](Metric metric) { return describe(metric).subject; });
  for (const Metric metric : metrics) {
    entries.push_back(entryOf(metric));
  }
  return entries;
}

std::vector<QString> findInGlossary(const std::vector<GlossaryEntry>& entries,
                                    const QString& text) {
  const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
  std::vector<QString> topics;
  for (const GlossaryEntry& entry : entries) {
    const QString all =
        QStringList{entry.name, entry.symbol, entry.group, entry.meaning, entry.source, entry.topic}
            .join(u' ');
    if (std::ranges::all_of(words, [&all](const QString& word) {
          return all.contains(word, Qt::CaseInsensitive);
        })) {
      topics.push_back(entry.topic);
    }
  }
  return topics;
}

}  // namespace dubito
