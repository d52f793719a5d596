// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_table.h"

#include <QLocale>
#include <cmath>

#include "core/base/spreadsheet_cell.h"

namespace dubito {
namespace {

bool isDouble(const QVariant& cell) {
  return cell.typeId() == QMetaType::Double || cell.typeId() == QMetaType::Float;
}

QString cellText(const QVariant& cell) {
  return isDouble(cell) ? exactText(cell.toDouble()) : cell.toString();
}

QString quoted(const QString& text) {
  QString inner = QString::fromStdString(spreadsheetCell(text.toStdString()));
  if (!inner.contains(u',') && !inner.contains(u'"') && !inner.contains(u'\n') &&
      !inner.contains(u'\r')) {
    return inner;
  }
  inner.replace(u'"', QLatin1String("\"\""));
  return u'"' + inner + u'"';
}

bool isNumber(const QVariant& cell) {
  return isDouble(cell) || cell.typeId() == QMetaType::LongLong || cell.typeId() == QMetaType::Int;
}

}  // namespace

QString exactText(double value) {
  if (std::isnan(value)) {
    return {};
  }
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString shortText(double value, int digits) {
  if (std::isnan(value)) {
    return QStringLiteral("–");
  }
  if (value == 0.0 || !std::isfinite(value)) {
    return QString::number(value);
  }
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent < -4 || exponent >= 6) {
    return QString::number(value, 'e', digits - 1);
  }
  return QString::number(value, 'f', std::max(0, digits - 1 - exponent));
}

QString toCsv(const PlotTable& table) {
  QString text;
  const auto append = [&text](const auto& cells, const auto& toText) {
    bool first = true;
    for (const auto& cell : cells) {
      if (!first) {
        text += u',';
      }
      first = false;
      text += quoted(toText(cell));
    }
    text += u'\n';
  };
  append(table.columns, [](const QString& name) { return name; });
  for (const auto& row : table.rows) {
    append(row, cellText);
  }
  return text;
}

QString toMarkdown(const PlotTable& table) {
  QString text = QStringLiteral("| %1 |\n|").arg(table.columns.join(QLatin1String(" | ")));
  for (qsizetype column = 0; column < table.columns.size(); ++column) {
    const auto index = static_cast<std::size_t>(column);
    const bool number = !table.rows.empty() && index < table.rows.front().size() &&
                        isNumber(table.rows.front()[index]);
    text += number ? QLatin1String(" ---: |") : QLatin1String(" --- |");
  }
  text += u'\n';
  for (const auto& row : table.rows) {
    text += u'|';
    for (const QVariant& cell : row) {
      QString content = cellText(cell);
      content.replace(u'|', QLatin1String("\\|"));
      text += u' ' + content + QLatin1String(" |");
    }
    text += u'\n';
  }
  return text;
}

PlotTable shownPart(const PlotTable& table, const QStringList& hidden) {
  PlotTable shown;
  std::vector<std::size_t> kept;
  for (qsizetype column = 0; column < table.columns.size(); ++column) {
    // The first column names the rows.
    if (column == 0 || !hidden.contains(table.columns[column])) {
      kept.push_back(static_cast<std::size_t>(column));
      shown.columns << table.columns[column];
    }
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.hidden_rows.contains(row)) {
      continue;
    }
    std::vector<QVariant>& cells = shown.rows.emplace_back();
    QStringList texts;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      cells.push_back(table.rows[row][kept[i]]);
      if (table.best.contains({row, static_cast<int>(kept[i])})) {
        shown.best.insert({shown.rows.size() - 1, static_cast<int>(i)});
      }
      if (row < table.texts.size()) {
        texts << table.texts[row].value(static_cast<qsizetype>(kept[i]));
      }
    }
    if (row < table.texts.size()) {
      shown.texts.push_back(std::move(texts));
    }
  }
  return shown;
}

}  // namespace dubito
