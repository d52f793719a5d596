// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include "app/pictures/picture_source.h"
#include "app/report/report_content.h"
#include "app/words/words.h"
#include "core/analysis/item_query.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxImages = 12;

/// Items with the largest `measure` among those for which `counts` is true, in descending order.
std::vector<ItemRef> largest(const Analysis& analysis, Measure measure,
                             const std::function<bool(ItemRef)>& counts) {
  std::vector<std::pair<double, ItemRef>> best;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    const AnalysisPart& part = analysis.parts[p];
    if (!part.has(measure)) {
      continue;
    }
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      const ItemRef item{static_cast<std::int32_t>(p), row};
      // Separates confidences that round to 1, as on the Images page.
      const double value = part.rank(measure, row);
      if (!(value == value) || (best.size() == kMaxImages && value <= best.back().first) ||
          !counts(item)) {
        continue;
      }
      const auto place =
          std::ranges::find_if(best, [value](const auto& entry) { return entry.first < value; });
      best.insert(place, {value, item});
      if (best.size() > kMaxImages) {
        best.pop_back();
      }
    }
  }
  std::vector<ItemRef> items;
  for (const auto& entry : best) {
    items.push_back(entry.second);
  }
  return items;
}

/// Small images stay sharp, large ones are reduced to save space.
QImage atReportSize(const QImage& image) {
  constexpr int kMinSide = 112;
  constexpr int kMaxSide = 224;
  const int side = std::max(image.width(), image.height());
  if (side > kMaxSide) {
    return image.scaled(kMaxSide, kMaxSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  }
  const int times = side > 0 ? (kMinSide + side - 1) / side : 1;
  return times > 1 ? image.scaled(image.size() * times) : image;
}

}  // namespace

bool ReportImages::hasPictures() const {
  return std::ranges::any_of(images,
                             [](const ReportImage& image) { return !image.picture.isNull(); });
}

Expected<std::vector<ReportImages>> reportImages(const AnalysisPtr& analysis, RunContext& context) {
  const PictureSource pictures = picturesOf(analysis);
  std::vector<ReportImages> groups;
  const auto add = [&](const QString& title, const QString& caption, Measure measure,
                       const std::vector<ItemRef>& items) {
    ReportImages group{title, caption, {}};
    for (const ItemRef item : items) {
      if (context.cancelRequested()) {
        return false;
      }
      const AnalysisPart& part = analysis->partOf(item);
      ReportImage image;
      image.picture = atReportSize(pictures.decode(keyOf(item)));
      image.name = itemName(*analysis, item);
      if (item.part > 0 && analysis->parts.size() > 2) {
        image.name = QStringLiteral("%1 %2").arg(QString::fromStdString(part.name), image.name);
      }
      const QString predicted = className(*analysis, part.run->predictions.data()[item.row]);
      const QString label = trueClassName(*analysis, item);
      image.verdict = label.isEmpty() ? tr("predicted %1").arg(predicted)
                                      : tr("predicted %1, label %2").arg(predicted, label);
      const double value = part.values(measure).data()[item.row];
      image.value = measure == Measure::kConfidence
                        ? tr("confidence %1").arg(shortText(value, 4))
                        : QStringLiteral("%1 %2 %3")
                              .arg(measureName(measure), shortText(value), measureUnit(measure));
      group.images.push_back(std::move(image));
    }
    if (!group.images.empty()) {
      groups.push_back(std::move(group));
    }
    return true;
  };
  const auto is = [&analysis](ItemGroup wanted) {
    return [&analysis, wanted](ItemRef item) { return groupOf(*analysis, item) == wanted; };
  };
  const Measure uncertainty = analysis->in().has(Measure::kMutualInformation)
                                  ? Measure::kMutualInformation
                                  : Measure::kEntropy;
  const bool complete =
      add(tr("Most confident mistakes"),
          tr("Misclassified items with the highest confidence: no threshold catches them."),
          Measure::kConfidence,
          largest(*analysis, Measure::kConfidence, is(ItemGroup::kMisclassified))) &&
      add(tr("Most uncertain items"),
          tr("In-distribution items with the highest %1.").arg(measureName(uncertainty)),
          uncertainty,
          largest(*analysis, uncertainty, [](ItemRef item) { return item.part == 0; })) &&
      add(tr("Most confident OOD items"),
          tr("Out-of-distribution items with the highest confidence."), Measure::kConfidence,
          largest(*analysis, Measure::kConfidence, is(ItemGroup::kOod)));
  if (!complete) {
    return cancelled();
  }
  return groups;
}

}  // namespace dubito
