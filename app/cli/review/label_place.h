// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run.h"
#include "core/labels/label_store.h"

namespace dubito::cli {

/// Help of an argument that names a label store.
inline constexpr const char* kLabelPlaceHelp =
    "label store: a file NAME.labels, or postgresql://USER@HOST/DATABASE";

/// Name of the person whose decisions a command records: $USER, as in the window.
[[nodiscard]] std::string usualAnnotator();
/// Declares --annotator with that default.
CLI::Option* declareAnnotator(CLI::App& app, std::string& annotator, const std::string& help);

/// A label store and what a user should know about it.
struct OpenedLabels {
  std::unique_ptr<LabelStore> store;
  std::vector<std::string> notes;
};

/// Opens a store for the items and classes of a run; a new one belongs to the run's dataset. Notes
/// if the recorded dataset has another name. kInvalidArgument if the store has other classes, or
/// the run no class at all; errors of LabelStore.
[[nodiscard]] Expected<OpenedLabels> openLabelsOf(const Run& run, const std::string& run_name,
                                                  const std::string& place, StoreMode mode);
/// Opens a store for whatever it belongs to.
[[nodiscard]] Expected<OpenedLabels> openLabels(const std::string& place, StoreMode mode);

/// The class with this name, else the one with this number, merges followed. kInvalidArgument,
/// naming the classes, if there is none.
[[nodiscard]] Expected<std::int64_t> classOf(std::span<const LabelClass> classes,
                                             const std::string& text, const std::string& place);

/// The name of a class for messages; its number if it is unknown.
[[nodiscard]] std::string classText(std::span<const LabelClass> classes, std::int64_t id);

}  // namespace dubito::cli
