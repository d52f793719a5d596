// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/latex_table.h"

#include <QHash>
#include <QRegularExpression>
#include <cmath>

#include "widgets/number_text.h"

namespace dubito {
namespace {

constexpr int kDigits = 4;

const QHash<QChar, QString>& commands() {
  static const QHash<QChar, QString> known = {{u'\\', QStringLiteral("\\textbackslash{}")},
                                              {u'~', QStringLiteral("\\~{}")},
                                              {u'^', QStringLiteral("\\^{}")},
                                              {u'\u2009', QStringLiteral("\\,")},
                                              {u'\u202F', QStringLiteral("\\,")},
                                              {u'\u00A0', QStringLiteral("~")},
                                              {u'±', QStringLiteral("$\\pm$")},
                                              {u'−', QStringLiteral("$-$")},
                                              {u'·', QStringLiteral("$\\cdot$")},
                                              {u'×', QStringLiteral("$\\times$")},
                                              {u'≥', QStringLiteral("$\\geq$")},
                                              {u'≤', QStringLiteral("$\\leq$")},
                                              {u'→', QStringLiteral("$\\to$")},
                                              {u'↑', QStringLiteral("$\\uparrow$")},
                                              {u'↓', QStringLiteral("$\\downarrow$")},
                                              {u'°', QStringLiteral("$^\\circ$")},
                                              {u'²', QStringLiteral("$^2$")},
                                              {u'√', QStringLiteral("$\\sqrt{\\ }$")},
                                              {u'α', QStringLiteral("$\\alpha$")},
                                              {u'β', QStringLiteral("$\\beta$")},
                                              {u'Δ', QStringLiteral("$\\Delta$")},
                                              {u'δ', QStringLiteral("$\\delta$")},
                                              {u'κ', QStringLiteral("$\\kappa$")},
                                              {u'λ', QStringLiteral("$\\lambda$")},
                                              {u'μ', QStringLiteral("$\\mu$")},
                                              {u'σ', QStringLiteral("$\\sigma$")},
                                              {u'τ', QStringLiteral("$\\tau$")},
                                              {u'–', QStringLiteral("--")},
                                              {u'—', QStringLiteral("---")},
                                              {u'…', QStringLiteral("\\ldots{}")},
                                              {u'•', QStringLiteral("$\\bullet$")}};
  return known;
}

bool isReal(const QVariant& cell) {
  return cell.typeId() == QMetaType::Double || cell.typeId() == QMetaType::Float;
}

bool isCount(const QVariant& cell) {
  return cell.typeId() == QMetaType::LongLong || cell.typeId() == QMetaType::Int;
}

/// A column of numbers has one in some row; the others are empty.
bool isNumberColumn(const PlotTable& table, std::size_t column) {
  for (const std::vector<QVariant>& row : table.rows) {
    if (column < row.size() && (isReal(row[column]) || isCount(row[column]))) {
      return true;
    }
  }
  return false;
}

QString latexCell(const PlotTable& table, std::size_t row, std::size_t column) {
  if (row < table.texts.size() && static_cast<qsizetype>(column) < table.texts[row].size()) {
    return table.texts[row][static_cast<qsizetype>(column)];
  }
  const QVariant& cell = table.rows[row][column];
  if (isCount(cell)) {
    return countText(cell.toLongLong());
  }
  if (!isReal(cell)) {
    return cell.toString();
  }
  return std::isnan(cell.toDouble()) ? QString() : QString::number(cell.toDouble(), 'g', kDigits);
}

/// "1.25e-05" as a power of ten.
QString withPowers(QString text) {
  static const QRegularExpression kPower(QStringLiteral("\\b([0-9.]+)e([-+]?)0*([0-9]+)\\b"));
  for (QRegularExpressionMatch match = kPower.match(text); match.hasMatch();
       match = kPower.match(text)) {
    const QString sign = match.captured(2) == QLatin1String("-") ? QStringLiteral("-") : QString();
    text.replace(
        match.capturedStart(), match.capturedLength(),
        QStringLiteral("$%1\\cdot10^{%2%3}$").arg(match.captured(1), sign, match.captured(3)));
  }
  return text;
}

QString line(const QStringList& cells) {
  return cells.join(QLatin1String(" & ")) + QLatin1String(" \\\\\n");
}

}  // namespace

QString latexText(const QString& text) {
  QString result;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar letter = text[i];
    if (letter == u' ' && i + 1 < text.size() && text[i + 1] == u'%') {
      result += QLatin1String("\\,");  // a number and its unit stay on one line
    } else if (QStringView(u"&%$#_{}").contains(letter)) {
      result += QStringLiteral("\\") + letter;
    } else {
      result += commands().value(letter, QString(letter));
    }
  }
  return result;
}

QString toLatex(const PlotTable& table) {
  QString columns;
  QStringList heads;
  for (qsizetype column = 0; column < table.columns.size(); ++column) {
    columns += isNumberColumn(table, static_cast<std::size_t>(column)) ? u'r' : u'l';
    heads << latexText(table.columns[column]);
  }
  QString text = QStringLiteral("\\begin{tabular}{%1}\n\\toprule\n").arg(columns);
  text += line(heads) + QLatin1String("\\midrule\n");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    QStringList cells;
    for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
      QString cell = latexText(latexCell(table, row, column));
      if (isNumberColumn(table, column)) {
        cell = withPowers(cell);
      }
      cells << (table.best.contains({row, static_cast<int>(column)})
                    ? QStringLiteral("\\textbf{%1}").arg(cell)
                    : cell);
    }
    text += line(cells);
  }
  return text + QLatin1String("\\bottomrule\n\\end{tabular}\n");
}

}  // namespace dubito
