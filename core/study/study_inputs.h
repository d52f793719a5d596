// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/study/study_spec.h"

namespace dubito {

/// An open dataset of a study and what identifies its items.
struct StudyItems {
  std::string name;
  DatasetPtr data;
  /// Hash of ids, labels, contents and corruptions, in order: equal wherever the files are.
  std::string key;
  /// One hash per item of content and corruption, ascending.
  std::vector<std::uint64_t> contents;
};
using StudyItemsPtr = std::shared_ptr<const StudyItems>;

/// Everything that a study reads, open.
struct StudyInputs {
  StudyItemsPtr source;
  StudyItemsPtr validation;                ///< null if the study has none
  std::vector<StudyItemsPtr> targets;      ///< as StudySpec::targets
  std::vector<StudyItemsPtr> adaptations;  ///< per target; null: none. Equal sets are one object
  std::vector<StudyItemsPtr> ood;
  /// Per network: networkHash of the model or the backbone; empty for networks trained anew.
  std::vector<std::string> network_hashes;

  /// Labelled items on which `row` is fitted for a target; may be null.
  [[nodiscard]] const StudyItemsPtr& fitOf(const StudyRow& row, std::size_t target) const {
    return row.fit_on == StudyFit::kSource ? validation : adaptations[target];
  }
};

/// Opens all datasets and models of a study. The role of each follows from its place in the study.
/// Errors begin with the place in the study file: those of openDataset and loadModel; another role
/// in the specification; sets without labels where they are needed; items of the source among
/// those to fit or test on, and items to fit on among those to test on. kCancelled.
[[nodiscard]] Expected<StudyInputs> openStudy(const StudySpec& spec, RunContext& context);

}  // namespace dubito
