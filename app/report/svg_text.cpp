// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/svg_text.h"

#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

namespace dubito {
namespace {

/// Attributes that a text inherits from <svg>.
struct Inherited {
  double size = 11.0;
  QColor color = Qt::black;
};

Qt::AlignmentFlag alignmentOf(QStringView anchor) {
  return anchor == QLatin1String("end")      ? Qt::AlignRight
         : anchor == QLatin1String("middle") ? Qt::AlignHCenter
                                             : Qt::AlignLeft;
}

/// Reads up to the end of the element.
SvgText textOf(QXmlStreamReader& reader, const Inherited& inherited) {
  const QXmlStreamAttributes attributes = reader.attributes();
  const auto number = [&attributes](const char* name, double otherwise) {
    const auto value = attributes.value(QLatin1String(name));
    return value.isEmpty() ? otherwise : value.toDouble();
  };
  SvgText text{.words = {},
               .place = {number("x", 0.0), number("y", 0.0)},
               .alignment = alignmentOf(attributes.value(QLatin1String("text-anchor"))),
               .size = number("font-size", inherited.size),
               .is_bold = number("font-weight", 400.0) > 500.0,
               .color = inherited.color};
  if (attributes.hasAttribute(QLatin1String("fill"))) {
    text.color = QColor(attributes.value(QLatin1String("fill")).toString());
  }
  // Charts turn a text around its own place.
  static const QRegularExpression kRotation(QStringLiteral("^rotate\\(([-0-9.]+) "));
  text.degrees = kRotation.match(attributes.value(QLatin1String("transform")).toString())
                     .captured(1)
                     .toDouble();
  text.words = reader.readElementText(QXmlStreamReader::IncludeChildElements);
  return text;
}

}  // namespace

std::optional<SvgParts> splitSvg(const QByteArray& svg) {
  SvgParts parts;
  Inherited inherited;
  QXmlStreamReader reader(svg);
  // Else the writer gives each element a prefix, which QSvgRenderer does not know.
  reader.setNamespaceProcessing(false);
  QXmlStreamWriter writer(&parts.drawing);
  while (!reader.atEnd()) {
    reader.readNext();
    if (!reader.isStartElement()) {
      if (!reader.hasError()) {
        writer.writeCurrentToken(reader);
      }
      continue;
    }
    if (reader.name() == QLatin1String("text")) {
      parts.texts.push_back(textOf(reader, inherited));
      continue;
    }
    if (reader.name() == QLatin1String("svg")) {
      const QXmlStreamAttributes attributes = reader.attributes();
      inherited = {attributes.value(QLatin1String("font-size")).toDouble(),
                   QColor(attributes.value(QLatin1String("fill")).toString())};
    }
    writer.writeCurrentToken(reader);
  }
  return reader.hasError() ? std::nullopt : std::optional(parts);
}

}  // namespace dubito
