// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/referral/lab_referral_values.h"

#include <algorithm>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

StyledCurve costCurve(const MeasureCosts& by, std::size_t number, bool by_share) {
  const MeasureInfo& info = describe(by.measure);
  StyledCurve curve;
  curve.curve.name = info.name;
  curve.short_name = QString::fromUtf8(info.short_name);
  curve.curve.summary = by.optimum.cost;
  curve.run = static_cast<int>(number);
  curve.dash = dashOf(number);
  for (const ReferralRule& rule : by.rules) {
    if (by_share || rule.threshold) {
      curve.curve.x.push_back(by_share ? rule.share : *rule.threshold);
      curve.curve.y.push_back(rule.cost);
    }
  }
  if (by_share || by.optimum.threshold) {
    curve.mark = QPointF(by_share ? by.optimum.share : *by.optimum.threshold, by.optimum.cost);
  }
  return curve;
}

CurvePlotValue costPlot(const ReferralPicture& picture, const QString& x_label, bool by_share) {
  CurvePlotValue value = linePlot(x_label, labText("cost per item"));
  value.summary_name = labText("lowest cost");
  for (std::size_t i = 0; i < picture.costs.measures.size(); ++i) {
    value.curves.push_back(costCurve(picture.costs.measures[i], i, by_share));
  }
  return value;
}

void addRule(CompareTableValue::Row& row, const ReferralRule& rule) {
  row.cells.push_back(rule.threshold ? numberCell(*rule.threshold, 4) : emptyCell());
  row.cells.push_back({shareText(rule.share), rule.share, countText(rule.referred)});
  row.cells.push_back({countText(rule.errors), static_cast<double>(rule.errors)});
  row.cells.push_back(numberCell(rule.cost, 4));
}

}  // namespace

CurvePlotValue costByThreshold(const ReferralPicture& picture) {
  CurvePlotValue value = costPlot(
      picture, labText("threshold, in the unit of the measure (nats for entropies)"), false);
  value.x_short = labText("threshold (own unit)");
  return value;
}

CurvePlotValue costByShare(const ReferralPicture& picture) {
  CurvePlotValue value = costPlot(picture, labText("items referred"), true);
  value.x_is_share = true;
  const double oracle = picture.costs.oracle;
  StyledCurve level =
      styledCurve(labText("exactly the errors"), -1, 2, {{}, {0.0, 1.0}, {oracle, oracle}});
  level.curve.summary = oracle;
  level.role = StyledCurve::Role::kReference;
  value.curves.push_back(std::move(level));
  return value;
}

CurvePlotValue rocOfMeasure(const ReferralPicture& picture, std::size_t measure) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kRoc;
  value.x_label = labText("false positive rate");
  value.y_label = labText("true positive rate");
  value.summary_name = QStringLiteral("AUROC");
  const std::vector<Curve>& curves = picture.ranking->measures[measure].roc;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].x.empty()) {
      continue;  // one of the groups is empty
    }
    value.curves.push_back({curves[i], static_cast<int>(i), dashOf(i)});
  }
  return value;
}

CompareTableValue referralTable(const ReferralPicture& picture, std::size_t shown) {
  const ReferralCosts& costs = picture.costs;
  CompareTableValue table;
  table.row_heading = labText("refer by");
  table.columns = {
      {labText("Threshold"),
       labText("The least certain item that is not referred has this value of the measure"),
       std::nullopt},
      {labText("Referred"), labText("Share of the items that the expert looks at"), std::nullopt},
      {labText("Errors left"), labText("Wrong predictions that nobody looks at"), std::nullopt},
      {labText("Cost per item"),
       labText("Of the cheapest rule, chosen and measured on the same items"), false}};
  for (std::size_t i = 0; i < costs.measures.size(); ++i) {
    const MeasureInfo& info = describe(costs.measures[i].measure);
    CompareTableValue::Row row;
    row.name = QString::fromUtf8(info.name);
    row.detail = QString::fromUtf8(info.what_it_is);
    row.run = static_cast<int>(i);
    row.dash = dashOf(i);
    row.shown = i == shown;
    addRule(row, costs.measures[i].optimum);
    table.rows.push_back(std::move(row));
  }
  const auto addRow = [&table](const QString& name, const QString& detail,
                               const ReferralRule& rule) {
    CompareTableValue::Row row;
    row.name = name;
    row.detail = detail;
    row.other_items = true;
    addRule(row, rule);
    for (CompareTableValue::Cell& cell : row.cells) {
      cell.items = static_cast<int>(table.rows.size());  // not ranked against the others
    }
    table.rows.push_back(std::move(row));
  };
  const ReferralRanking& ranking = *picture.ranking;
  addRow(labText("refer none"), labText("The model decides alone"),
         {{}, 0, 0.0, ranking.errors(), costs.none});
  addRow(labText("refer all"), labText("The expert looks at everything"),
         {{}, ranking.items, 1.0, 0, costs.all});
  return table;
}

std::size_t cheapestMeasure(const ReferralCosts& costs) {
  const auto cheapest = std::ranges::min_element(
      costs.measures, {}, [](const MeasureCosts& by) { return by.optimum.cost; });
  return static_cast<std::size_t>(cheapest - costs.measures.begin());
}

QString referralSentence(const ReferralPicture& picture, std::size_t measure) {
  const MeasureCosts& by = picture.costs.measures[measure];
  const ReferralRule& rule = by.optimum;
  const QString name = QString::fromUtf8(describe(by.measure).name);
  if (rule.referred == 0) {
    return labText(
               "By %1, referring nothing is cheapest: a look costs more than it saves "
               "(%2 per item).")
        .arg(name, shortText(rule.cost));
  }
  if (!rule.threshold) {
    return labText(
               "By %1, referring everything is cheapest: errors cost more than looking at "
               "all items (%2 per item).")
        .arg(name, shortText(rule.cost));
  }
  const QString side = highIsCertain(by.measure) ? labText("below") : labText("above");
  return labText(
             "Refer items whose %1 is %2 %3: %4 are referred, %5 of %6 errors are left, and "
             "an item costs %7 instead of %8 without an expert.")
      .arg(name, side, shortText(*rule.threshold, 4), shareText(rule.share), countText(rule.errors),
           countText(picture.ranking->errors()), shortText(rule.cost),
           shortText(picture.costs.none));
}

QString rocCaption(const ReferralPicture& picture, std::size_t measure) {
  const bool two_classes = picture.ranking->classes == 2;
  QString text = two_classes
                     ? labText("items not referred: %1")
                           .arg(QString::fromStdString(picture.ranking->roc_groups))
                     : labText("items not referred: correct against wrong ones, by confidence");
  for (const Curve& curve : picture.ranking->measures[measure].roc) {
    if (curve.x.empty()) {
      text += (two_classes ? labText(" · one class is empty from %1 on")
                           : labText(" · no errors, or nothing else, from %1 on"))
                  .arg(QString::fromStdString(curve.name));
      break;
    }
  }
  return text;
}

QString referralCaption(const ReferralPicture& picture) {
  const ReferralRanking& ranking = *picture.ranking;
  return captionOf({labText("%1 labelled items").arg(countText(ranking.items)),
                    labText("%1 errors").arg(countText(ranking.errors())),
                    ranking.unlabelled > 0
                        ? labText("%1 unlabelled left out").arg(countText(ranking.unlabelled))
                        : QString()});
}

}  // namespace dubito
