// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_field_text.h"

#include <QStringList>

namespace dubito {
namespace {

QString shownScalar(const StudyJson& value) {
  return QString::fromStdString(
      value.is_string() ? value.get<std::string>()
                        : value.dump(-1, ' ', false, StudyJson::error_handler_t::replace));
}

QStringList partsOf(const QString& text) {
  QStringList parts;
  for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
    if (const QString trimmed = part.trimmed(); !trimmed.isEmpty()) {
      parts << trimmed;
    }
  }
  return parts;
}

/// The text itself unless it is a number.
StudyJson numberOrText(const QString& text) {
  const std::string plain = text.toStdString();
  const StudyJson parsed = StudyJson::parse(plain, nullptr, /*allow_exceptions=*/false);
  return parsed.is_number() ? parsed : StudyJson(plain);
}

}  // namespace

QString textOfValue(const StudyJson* value, StudyFieldKind kind) {
  if (value == nullptr || value->is_null()) {
    return {};
  }
  if (kind == StudyFieldKind::kJson || value->is_object()) {
    return QString::fromStdString(value->dump(-1, ' ', false, StudyJson::error_handler_t::replace));
  }
  if (!value->is_array()) {
    return shownScalar(*value);
  }
  QStringList parts;
  for (const StudyJson& one : *value) {
    parts << shownScalar(one);
  }
  return parts.join(QStringLiteral(", "));
}

QString textAt(const StudyJson& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? QString() : textOfValue(&*found, StudyFieldKind::kTexts);
}

StudyJson valueOfText(const QString& text, StudyFieldKind kind) {
  const QString trimmed = text.trimmed();
  if (trimmed.isEmpty()) {
    return nullptr;
  }
  const std::string plain = trimmed.toStdString();
  switch (kind) {
    case StudyFieldKind::kText:
      return plain;
    case StudyFieldKind::kNumber:
    case StudyFieldKind::kTextOrNumber:
      return numberOrText(trimmed);
    case StudyFieldKind::kTexts:
    case StudyFieldKind::kNumbers: {
      StudyJson list = StudyJson::array();
      for (const QString& part : partsOf(trimmed)) {
        list.push_back(kind == StudyFieldKind::kNumbers ? numberOrText(part)
                                                        : StudyJson(part.toStdString()));
      }
      return kind == StudyFieldKind::kTexts && list.size() == 1 ? StudyJson(list.front()) : list;
    }
    case StudyFieldKind::kJson: {
      StudyJson parsed = StudyJson::parse(plain, nullptr, /*allow_exceptions=*/false);
      return parsed.is_discarded() ? StudyJson(plain) : parsed;
    }
  }
  return nullptr;
}

}  // namespace dubito
