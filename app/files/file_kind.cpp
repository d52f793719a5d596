// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/file_kind.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/lower_case.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/labs/story/lab_story.h"
#include "core/models/program/foreign_file.h"
#include "core/models/program/network_format.h"
#include "core/study/study_files.h"

namespace dubito {
namespace {

bool anyOf(std::string_view text, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

}  // namespace

FileKind guessFileKind(const std::string& specification) {
  const std::string_view text = specification;
  if (text.starts_with(std::string(kAnnotationsScheme) + ':')) {
    return FileKind::kLabels;
  }
  if (findDatasetKind(text.substr(0, text.find(':'))) != nullptr) {
    return FileKind::kDataset;
  }
  const std::filesystem::path path(specification.substr(0, specification.find('?')));
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    const bool is_study = std::filesystem::is_regular_file(path / kStudyTable, ignored) &&
                          std::filesystem::is_directory(path / kRunsFolder, ignored);
    return is_study                          ? FileKind::kStudy
           : isForeignNetwork(path.string()) ? FileKind::kModel
                                             : FileKind::kDataset;
  }
  const std::string name = lowerCase(path.filename().string());
  const std::string extension = lowerCaseEnding(path);
  const std::vector<std::string_view> networks = networkEndings();
  if (std::ranges::find(networks, extension) != networks.end()) {
    return FileKind::kModel;
  }
  if (extension == ".dubito") {
    return FileKind::kWorkspace;
  }
  if (extension == ".labels") {
    return FileKind::kLabels;
  }
  if (anyOf(extension, {".npz", ".npy", ".csv"})) {
    return FileKind::kPredictions;
  }
  const bool claimed = std::ranges::any_of(
      allDatasetKinds(), [&name](const auto& kind) { return kind->claimsName(name); });
  if (claimed) {
    return FileKind::kDataset;
  }
  if (extension == ".json" && labFileKind(path.string()) != LabFileKind::kNone) {
    return FileKind::kLab;
  }
  // The reader of networks tells how to export these.
  if (isForeignNetwork(path.string())) {
    return FileKind::kModel;
  }
  return anyOf(extension, {".json", ".jsonl", ".ndjson", ".xml"}) ? FileKind::kLabels
                                                                  : FileKind::kUnknown;
}

}  // namespace dubito
