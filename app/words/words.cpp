// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/words.h"

#include <QLocale>
#include <cmath>

#include "core/analysis/item_attributes.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {

QString measureName(Measure measure) {
  return QString::fromUtf8(describe(measure).name);
}

QString measureUnit(Measure measure) {
  return QString::fromUtf8(describe(measure).unit);
}

QString measureFormula(Measure measure) {
  return QString::fromUtf8(describe(measure).what_it_is);
}

QString columnName(ItemColumn column) {
  switch (column) {
    case ItemColumn::kItem:
      return tr("item number");
    case ItemColumn::kLabel:
      return tr("true class");
    case ItemColumn::kPredicted:
      return tr("predicted class");
    case ItemColumn::kLoss:
      return tr("loss");
  }
  return {};
}

QString sortName(const ItemQuery& query) {
  if (query.sort_column) {
    return columnName(*query.sort_column);
  }
  return query.sort_attribute ? QString::fromStdString(*query.sort_attribute)
                              : measureName(query.sort);
}

QString noItemsText() {
  return tr("No matching items; press Esc to clear the selection");
}

QString groupName(ItemGroup group) {
  switch (group) {
    case ItemGroup::kCorrect:
      return tr("correct");
    case ItemGroup::kMisclassified:
      return tr("misclassified");
    case ItemGroup::kOod:
      return tr("OOD");
    case ItemGroup::kUnlabelled:
      return tr("unlabelled");
  }
  return {};
}

ColorRole groupColor(ItemGroup group) {
  switch (group) {
    case ItemGroup::kCorrect:
      return ColorRole::kCorrect;
    case ItemGroup::kMisclassified:
      return ColorRole::kMisclassified;
    case ItemGroup::kOod:
      return ColorRole::kOod;
    case ItemGroup::kUnlabelled:
      return ColorRole::kMuted;
  }
  return ColorRole::kMuted;
}

QString itemName(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  if (part.dataset) {
    const std::int64_t index = part.dataset_index[static_cast<std::size_t>(item.row)];
    if (index >= 0) {
      return QString::fromStdString(part.dataset->itemName(index));
    }
  }
  return QStringLiteral("#%1").arg(part.run->ids.data()[item.row]);
}

std::vector<std::pair<QString, QString>> attributeTexts(const AnalysisPart& part,
                                                        std::int64_t row) {
  std::vector<std::pair<QString, QString>> texts;
  for (const Attribute& attribute :
       part.dataset ? part.dataset->attributes() : std::span<const Attribute>()) {
    if (const std::string text = attributeText(part, attribute, row); !text.empty()) {
      texts.emplace_back(QString::fromStdString(attribute.name), QString::fromStdString(text));
    }
  }
  return texts;
}

QString className(const Analysis& analysis, std::int64_t k) {
  return k < 0 ? QString() : QString::fromStdString(analysis.in().run->className(k));
}

QString trueClassName(const Analysis& analysis, ItemRef item) {
  if (item.part == 0) {
    return className(analysis, analysis.in().run->labels.data()[item.row]);
  }
  return {};
}

QString className(const Dataset& dataset, std::int64_t label) {
  if (label < 0) {
    return {};
  }
  const std::vector<std::string>& names = dataset.info().class_names;
  return static_cast<std::size_t>(label) < names.size()
             ? QString::fromStdString(names[static_cast<std::size_t>(label)])
             : QString::number(label);
}

QString labelsText(const Analysis& analysis) {
  const auto& reviewed = analysis.in().run->meta.reviewed_labels;
  return reviewed ? QString::fromStdString(describe(*reviewed)) : QString();
}

QString withLabels(const Analysis& analysis, const QString& line) {
  const auto& reviewed = analysis.in().run->meta.reviewed_labels;
  return reviewed ? tr("reviewed labels · %1 · %2")
                        .arg(line, QString::fromStdString(changesOf(*reviewed)))
                  : line;
}

QString rangeText(Interval range) {
  if (std::isinf(range.high)) {
    return QStringLiteral("≥ %1").arg(exactText(range.low));
  }
  return std::isinf(range.low)
             ? QStringLiteral("≤ %1").arg(exactText(range.high))
             : QStringLiteral("%1–%2").arg(exactText(range.low), exactText(range.high));
}

QString describeQuery(const ItemQuery& query, std::int64_t count) {
  QString what;
  switch (query.group) {
    case GroupFilter::kAll:
      what = countedText(count, tr("%1 item"), tr("%1 items"));
      break;
    case GroupFilter::kCorrect:
      what = countText(count) + QLatin1Char(' ') + groupName(ItemGroup::kCorrect);
      break;
    case GroupFilter::kMisclassified:
      what = countText(count) + QLatin1Char(' ') + groupName(ItemGroup::kMisclassified);
      break;
    case GroupFilter::kOod:
      what = countText(count) + QLatin1Char(' ') + groupName(ItemGroup::kOod);
      break;
  }
  if (query.range) {
    what += QStringLiteral(" · %1 %2–%3")
                .arg(measureName(query.range->measure), shortText(query.range->range.low),
                     shortText(query.range->range.high));
    if (const QString unit = measureUnit(query.range->measure); !unit.isEmpty()) {
      what += QLatin1Char(' ') + unit;
    }
  }
  if (query.reliability_bin) {
    const Interval& bin = query.reliability_bin->range;
    what += tr(" · reliability bin %1 (%2–%3)")
                .arg(query.reliability_bin->bin + 1)
                .arg(shareText(bin.low), shareText(bin.high));
  }
  if (query.cell) {
    what += tr(" · one cell of the confusion matrix");
  }
  if (query.attribute) {
    const QString name = QString::fromStdString(query.attribute->name);
    if (const auto* const range = std::get_if<Interval>(&query.attribute->wanted)) {
      what += QStringLiteral(" · %1 %2").arg(name, rangeText(*range));
    } else {
      const std::string& text = std::get<std::string>(query.attribute->wanted);
      what += text.empty() ? tr(" · without %1").arg(name)
                           : QStringLiteral(" · %1: %2").arg(name, QString::fromStdString(text));
    }
  }
  if (query.picked) {
    what += QStringLiteral(" · ") + QString::fromStdString(query.picked->name);
  }
  return what + (query.descending ? tr(" · by %1, highest first") : tr(" · by %1, lowest first"))
                    .arg(sortName(query));
}

}  // namespace dubito
