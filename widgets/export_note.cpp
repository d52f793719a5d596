// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export_note.h"

namespace dubito {
namespace {

QString& noteOfExports() {
  static QString note;
  return note;
}

}  // namespace

const QString& exportNote() {
  return noteOfExports();
}

void setExportNote(const QString& note) {
  noteOfExports() = note;
}

}  // namespace dubito
