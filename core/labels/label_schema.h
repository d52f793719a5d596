// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/labels/sql/sql_connection.h"

namespace dubito {

/// Version of the tables below.
inline constexpr std::int64_t kLabelSchemaVersion = 1;

/// Creates the tables, indices and views of a label store (docs/formats.md):
///
/// table `dataset`: at most one row, the dataset that the labels belong to
/// table `journal`: all entries; rows are only added
/// table `lease`: reserved items; rows change
/// table `remark`: comments on items and texts about classes; rows change
/// view `undone_step`: steps whose newest undo or redo is an undo
/// view `class_entry`: changes of classes that were not undone
/// view `label_class`: the classes
/// view `class_root`: the class that each merged class counts as
/// view `standing`: decisions that were not undone
/// view `present_label`: one row per decided item
[[nodiscard]] std::string labelSchema(const SqlDialect& dialect);

/// Creates the table `remark` alone: stores of earlier versions of this program do not have it, and
/// those versions ignore it.
[[nodiscard]] std::string remarkSchema(const SqlDialect& dialect);

}  // namespace dubito
