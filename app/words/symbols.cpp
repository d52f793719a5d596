// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/symbols.h"

#include <QHash>
#include <QRegularExpression>

namespace dubito {
namespace {

const QHash<QString, QString>& symbols() {
  static const QHash<QString, QString> known = {
      {QStringLiteral("Phi"), QStringLiteral("Φ")},   {QStringLiteral("phi"), QStringLiteral("φ")},
      {QStringLiteral("sigma"), QStringLiteral("σ")}, {QStringLiteral("mu"), QStringLiteral("μ")},
      {QStringLiteral("tau"), QStringLiteral("τ")},   {QStringLiteral("rho"), QStringLiteral("ρ")},
      {QStringLiteral("eps"), QStringLiteral("ε")},   {QStringLiteral("sum"), QStringLiteral("Σ")},
      {QStringLiteral("grad"), QStringLiteral("∇")}};
  return known;
}

/// Replaces every match of `pattern` by what `text` says of it.
template <class Text>
QString replaced(const QString& in, const QRegularExpression& pattern, const Text& text) {
  QString out;
  qsizetype end = 0;
  auto matches = pattern.globalMatch(in);
  while (matches.hasNext()) {
    const QRegularExpressionMatch match = matches.next();
    out += in.mid(end, match.capturedStart() - end) + text(match);
    end = match.capturedEnd();
  }
  return out + in.mid(end);
}

QString raised(const QString& exponent) {
  const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text;
  for (const QChar letter : exponent) {
    text += letter == u'-'     ? QChar(u'⁻')
            : letter.isDigit() ? digits[letter.digitValue()]
                               : QChar(u'ᵀ');
  }
  return text;
}

}  // namespace

QString inSymbols(const QString& formula) {
  static const QRegularExpression kExponential(QStringLiteral("\\be\\^(\\w+)"));
  static const QRegularExpression kPower(QStringLiteral("\\^(-?[0-9]+|T)(?![A-Za-z])"));
  static const QRegularExpression kName(
      QStringLiteral("(?<![A-Za-z])(d?)(Phi|phi|sigma|mu|tau|rho|eps|sum|grad)(?![A-Za-z])"));
  QString text = formula;
  text.replace(QLatin1String("<-"), QStringLiteral("←"))
      .replace(QLatin1String("->"), QStringLiteral("→"))
      .replace(QLatin1String(" -"), QStringLiteral(" −"));
  text = replaced(text, kExponential, [](const QRegularExpressionMatch& match) {
    return QStringLiteral("exp(%1)").arg(match.captured(1));
  });
  text = replaced(text, kPower,
                  [](const QRegularExpressionMatch& match) { return raised(match.captured(1)); });
  return replaced(text, kName, [](const QRegularExpressionMatch& match) {
    return match.captured(1) + symbols().value(match.captured(2));
  });
}

}  // namespace dubito
