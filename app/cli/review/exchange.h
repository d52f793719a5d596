// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/items/dataset.h"
#include "core/review/formats/label_note.h"

namespace dubito::cli {

// What the commands have in common that exchange labels and classes with other tools.

/// The items that labels can belong to.
struct Items {
  std::vector<std::int64_t> ids;
  std::vector<std::string> names;  ///< as long; empty: unknown
  std::int64_t class_count = 0;    ///< as many as the labels of the dataset tell
};
[[nodiscard]] Items itemsOf(const Dataset& dataset);

/// Declares --format with the keys of all label formats.
CLI::Option* declareFormat(CLI::App& app, std::string& key);

[[nodiscard]] std::vector<std::string> textsOf(const std::vector<LabelNote>& notes);
void append(const std::vector<std::string>& more, std::vector<std::string>& notes);
/// One line per note.
[[nodiscard]] std::string notesText(const std::vector<std::string>& notes);

}  // namespace dubito::cli
