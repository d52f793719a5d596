// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/referral/lab_referral_values.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/number_text.h"

namespace dubito {
namespace {

QString referralTr(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

/// Colours repeat after four curves, then with other dashes.
int referralDash(std::size_t number) {
  return static_cast<int>((number + number / 4) % 4);
}

CurvePlotValue emptyCostPlot() {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.y_is_share = false;
  value.y_label = referralTr("cost per item");
  value.summary_name = referralTr("lowest cost");
  return value;
}

StyledCurve costCurve(const MeasureCosts& by, std::size_t number, bool by_share) {
  const MeasureInfo& info = describe(by.measure);
  StyledCurve curve;
  curve.curve.name = info.name;
  curve.short_name = QString::fromUtf8(info.short_name);
  curve.curve.summary = by.optimum.cost;
  curve.run = static_cast<int>(number);
  curve.dash = referralDash(number);
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

StyledCurve costLevel(const QString& name, double cost, double from, double to) {
  StyledCurve curve;
  curve.curve.name = name.toStdString();
  curve.curve.summary = cost;
  curve.curve.x = {from, to};
  curve.curve.y = {cost, cost};
  curve.role = StyledCurve::Role::kReference;
  curve.dash = 2;
  return curve;
}

CompareTableValue::Cell numberCell(double value) {
  return {shortText(value, 4), value, exactText(value)};
}

void addRule(CompareTableValue::Row& row, const ReferralRule& rule) {
  row.cells.push_back(rule.threshold ? numberCell(*rule.threshold)
                                     : CompareTableValue::Cell{QStringLiteral("–")});
  row.cells.push_back({shareText(rule.share), rule.share, countText(rule.referred)});
  row.cells.push_back({countText(rule.errors), static_cast<double>(rule.errors)});
  row.cells.push_back(numberCell(rule.cost));
}

}  // namespace

CurvePlotValue costByThreshold(const ReferralPicture& picture) {
  CurvePlotValue value = emptyCostPlot();
  value.x_is_share = false;
  value.x_label = referralTr("threshold, in the unit of the measure (nats for entropies)");
  value.x_short = referralTr("threshold (own unit)");
  for (std::size_t i = 0; i < picture.costs.measures.size(); ++i) {
    value.curves.push_back(costCurve(picture.costs.measures[i], i, false));
  }
  return value;
}

CurvePlotValue costByShare(const ReferralPicture& picture) {
  CurvePlotValue value = emptyCostPlot();
  value.x_label = referralTr("items referred");
  for (std::size_t i = 0; i < picture.costs.measures.size(); ++i) {
    value.curves.push_back(costCurve(picture.costs.measures[i], i, true));
  }
  value.curves.push_back(
      costLevel(referralTr("exactly the errors"), picture.costs.oracle, 0.0, 1.0));
  return value;
}

CurvePlotValue rocOfMeasure(const ReferralPicture& picture, std::size_t measure) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kRoc;
  value.x_label = referralTr("false positive rate");
  value.y_label = referralTr("true positive rate");
  value.summary_name = QStringLiteral("AUROC");
  const std::vector<Curve>& curves = picture.ranking->measures[measure].roc;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].x.empty()) {
      continue;  // one of the groups is empty
    }
    StyledCurve curve;
    curve.curve = curves[i];
    curve.run = static_cast<int>(i);
    curve.dash = referralDash(i);
    value.curves.push_back(std::move(curve));
  }
  return value;
}

CompareTableValue referralTable(const ReferralPicture& picture, std::size_t shown) {
  const ReferralCosts& costs = picture.costs;
  CompareTableValue table;
  table.row_heading = referralTr("refer by");
  table.columns = {
      {referralTr("Threshold"),
       referralTr("The least certain item that is not referred has this value of the measure"),
       std::nullopt},
      {referralTr("Referred"), referralTr("Share of the items that the expert looks at"),
       std::nullopt},
      {referralTr("Errors left"), referralTr("Wrong predictions that nobody looks at"),
       std::nullopt},
      {referralTr("Cost per item"),
       referralTr("Of the cheapest rule, chosen and measured on the same items"), false}};
  for (std::size_t i = 0; i < costs.measures.size(); ++i) {
    const MeasureInfo& info = describe(costs.measures[i].measure);
    CompareTableValue::Row row;
    row.name = QString::fromUtf8(info.name);
    row.detail = QString::fromUtf8(info.what_it_is);
    row.run = static_cast<int>(i);
    row.dash = referralDash(i);
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
  addRow(referralTr("refer none"), referralTr("The model decides alone"),
         {{}, 0, 0.0, ranking.errors(), costs.none});
  addRow(referralTr("refer all"), referralTr("The expert looks at everything"),
         {{}, ranking.items, 1.0, 0, costs.all});
  return table;
}

std::size_t cheapestMeasure(const ReferralCosts& costs) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < costs.measures.size(); ++i) {
    if (costs.measures[i].optimum.cost < costs.measures[best].optimum.cost) {
      best = i;
    }
  }
  return best;
}

QString referralSentence(const ReferralPicture& picture, std::size_t measure) {
  const MeasureCosts& by = picture.costs.measures[measure];
  const ReferralRule& rule = by.optimum;
  const QString name = QString::fromUtf8(describe(by.measure).name);
  if (rule.referred == 0) {
    return referralTr(
               "By %1, referring nothing is cheapest: a look costs more than it saves "
               "(%2 per item).")
        .arg(name, shortText(rule.cost));
  }
  if (!rule.threshold) {
    return referralTr(
               "By %1, referring everything is cheapest: errors cost more than looking at "
               "all items (%2 per item).")
        .arg(name, shortText(rule.cost));
  }
  const QString side = highIsCertain(by.measure) ? referralTr("below") : referralTr("above");
  return referralTr(
             "Refer items whose %1 is %2 %3: %4 are referred, %5 of %6 errors are left, and "
             "an item costs %7 instead of %8 without an expert.")
      .arg(name, side, shortText(*rule.threshold, 4), shareText(rule.share), countText(rule.errors),
           countText(picture.ranking->errors()), shortText(rule.cost),
           shortText(picture.costs.none));
}

QString rocCaption(const ReferralPicture& picture, std::size_t measure) {
  const bool two_classes = picture.ranking->classes == 2;
  QString text = two_classes
                     ? referralTr("items not referred: %1")
                           .arg(QString::fromStdString(picture.ranking->roc_groups))
                     : referralTr("items not referred: correct against wrong ones, by confidence");
  for (const Curve& curve : picture.ranking->measures[measure].roc) {
    if (curve.x.empty()) {
      text += (two_classes ? referralTr(" · one class is empty from %1 on")
                           : referralTr(" · no errors, or nothing else, from %1 on"))
                  .arg(QString::fromStdString(curve.name));
      break;
    }
  }
  return text;
}

QString referralCaption(const ReferralPicture& picture) {
  QStringList parts{referralTr("%1 labelled items").arg(countText(picture.ranking->items)),
                    referralTr("%1 errors").arg(countText(picture.ranking->errors()))};
  if (picture.ranking->unlabelled > 0) {
    parts << referralTr("%1 unlabelled left out").arg(countText(picture.ranking->unlabelled));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
