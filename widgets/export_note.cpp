// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export_note.h"

#include <QVariant>
#include <QWidget>

namespace dubito {
namespace {

constexpr const char* kNoteProperty = "exportNote";

}  // namespace

QString exportNote(const QWidget& widget) {
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    if (const QVariant note = around->property(kNoteProperty); note.isValid()) {
      return note.toString();
    }
  }
  return {};
}

void setExportNote(QWidget& widget, const QString& note) {
  widget.setProperty(kNoteProperty, note);
}

}  // namespace dubito
