// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/uci/lab_uci_values.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

const MeanWithError& figureOf(const UciRow& row, UciFigure figure) {
  return figure == UciFigure::kRmse ? row.rmse : row.log_likelihood;
}

double differenceOf(const UciComparison& comparison, UciFigure figure) {
  return figure == UciFigure::kRmse ? comparison.rmse : comparison.log_likelihood;
}

const UciRow* rowOf(const UciSetRows& set, const UciMethodInfo& method) {
  const auto found = std::ranges::find(set.rows, &method, &UciRow::method);
  return found == set.rows.end() ? nullptr : &*found;
}

/// At most, in a cell; its tooltip has more.
constexpr int kUciDecimals = 2;

/// Small errors are shown in thousandths, so that all columns are equally wide.
struct UciUnit {
  double factor = 1.0;
  int decimals = 0;  ///< that the factor takes away

  [[nodiscard]] QString text(const MeanWithError& value, int max_decimals) const {
    return QString::fromStdString(
        textWithError({factor * value.mean, factor * value.standard_error},
                      std::max(0, max_decimals - decimals)));
  }
};

UciUnit unitOf(const UciSetRows& set, UciFigure figure) {
  constexpr double kSmall = 0.1;
  const UciPublishedValue* const published = uciPublished().back().of(set.set->key);
  const bool is_small =
      figure == UciFigure::kRmse && published != nullptr && published->rmse.mean < kSmall;
  return is_small ? UciUnit{1000.0, 3} : UciUnit{};
}

CompareTableValue::Cell cellOf(const UciSetRows& set, const UciRow& row, UciFigure figure) {
  const MeanWithError& value = figureOf(row, figure);
  const UciUnit unit = unitOf(set, figure);
  CompareTableValue::Cell cell{unit.text(value, kUciDecimals + unit.decimals), value.mean};
  QStringList lines{QString::fromStdString(textWithError(value)),
                    labText("%1 of %2 splits").arg(row.splits).arg(set.set->splits)};
  bool marked = false;
  for (const UciComparison& comparison : row.comparisons) {
    const double difference = differenceOf(comparison, figure);
    marked = marked || std::abs(difference) > kUciMarkedErrors;
    lines << labText("%1 standard errors from %2")
                 .arg(QString::number(difference, 'f', 1), labText(comparison.column->name));
  }
  if (row.splits < set.set->splits) {
    cell.text += QStringLiteral(" (%1)").arg(row.splits);
    cell.items = -static_cast<int>(row.splits);  // other splits, not to be ranked with the rest
  }
  if (marked) {
    cell.text += QStringLiteral(" *");
  }
  cell.tooltip = lines.join(u'\n');
  return cell;
}

CompareTableValue::Cell publishedCell(const UciSetRows& set, const UciPublishedColumn& column,
                                      const MeanWithError& value, UciFigure figure) {
  const QString source = labText(column.source);
  if (value.mean == 0.0) {
    return {QStringLiteral("–"), std::nan(""),
            labText("printed as %1: too few digits\n%2")
                .arg(QString::fromStdString(textWithError(value, column.decimals)), source)};
  }
  const UciUnit unit = unitOf(set, figure);
  // Each column is ranked alone, so that the best of our rows is marked.
  const auto number = static_cast<int>(&column - uciPublished().data());
  return {unit.text(value, std::min(column.decimals, kUciDecimals + unit.decimals)), value.mean,
          source, number + 1};
}

}  // namespace

CompareTableValue uciCompareTable(const std::vector<UciSetRows>& table, UciFigure figure) {
  CompareTableValue value;
  value.row_heading = labText("method");
  const bool high_is_good = figure == UciFigure::kLogLikelihood;
  for (const UciSetRows& set : table) {
    const QString name = QString::fromLatin1(set.set->key);
    value.columns.push_back(
        {unitOf(set, figure).decimals > 0 ? labText("%1 (×10⁻³)").arg(name) : name,
         labText("%1: %2 items, %3 inputs, %4 splits")
             .arg(labText(set.set->name))
             .arg(set.set->items)
             .arg(set.set->inputs)
             .arg(set.set->splits),
         high_is_good});
  }
  for (const UciMethodInfo& method : uciMethods()) {
    CompareTableValue::Row row;
    row.name = labText(method.name);
    row.detail = labText(method.explanation);
    bool has_any = false;
    for (const UciSetRows& set : table) {
      const UciRow* const found = rowOf(set, method);
      has_any = has_any || found != nullptr;
      row.cells.push_back(found == nullptr ? emptyCell() : cellOf(set, *found, figure));
    }
    if (has_any) {
      value.rows.push_back(std::move(row));
    }
  }
  for (const UciPublishedColumn& column : uciPublished()) {
    CompareTableValue::Row row;
    row.name = labText(column.name);
    row.detail = labText(column.source);
    for (const UciSetRows& set : table) {
      const UciPublishedValue* const published = column.of(set.set->key);
      if (published == nullptr) {
        row.cells.push_back(emptyCell());
        continue;
      }
      const MeanWithError& number =
          figure == UciFigure::kRmse ? published->rmse : published->log_likelihood;
      row.cells.push_back(publishedCell(set, column, number, figure));
    }
    value.rows.push_back(std::move(row));
  }
  return value;
}

QString uciSentence(const std::vector<UciSetRows>& table) {
  int compared = 0;
  int differing = 0;
  for (const UciSetRows& set : table) {
    for (const UciRow& row : set.rows) {
      for (const UciComparison& comparison : row.comparisons) {
        for (const double difference : {comparison.rmse, comparison.log_likelihood}) {
          ++compared;
          differing += std::abs(difference) > kUciMarkedErrors ? 1 : 0;
        }
      }
    }
  }
  if (compared == 0) {
    return labText("No row here was measured like a published one.");
  }
  return labText(
             "%1 of %2 comparisons with published values differ by more than %3 standard errors.")
      .arg(differing)
      .arg(compared)
      .arg(kUciMarkedErrors);
}

QString uciCaption(const std::vector<UciResult>& results) {
  std::set<std::uint64_t> seeds;
  std::set<std::int64_t> draws;
  for (const UciResult& result : results) {
    seeds.insert(result.seed);
    draws.insert(result.options.draws);
  }
  return captionOf(
      {labText("mean ± standard error over the splits"),
       labText("rows with a year are published, the others ours"),
       labText("%1 results").arg(countText(std::ssize(results))),
       seeds.size() == 1 ? labText("seed %1").arg(*seeds.begin()) : QString(),
       draws.size() == 1 ? labText("%1 draws").arg(countText(*draws.begin())) : QString()});
}

QString uciRowNotes(const std::vector<UciSetRows>& table) {
  QStringList lines;
  for (const UciMethodInfo& method : uciMethods()) {
    if (std::ranges::any_of(table,
                            [&](const UciSetRows& set) { return rowOf(set, method) != nullptr; })) {
      lines << QStringLiteral("%1: %2").arg(labText(method.name), labText(method.explanation));
    }
  }
  for (const UciPublishedColumn& column : uciPublished()) {
    lines << QStringLiteral("%1: %2").arg(labText(column.name), labText(column.source));
  }
  return lines.join(u'\n');
}

}  // namespace dubito
