// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace dubito {

/// Every laboratory. The window and the command line switch over it, so a laboratory without a page
/// or a command does not compile.
enum class Laboratory {
  kRegressionMethods,
  kClassificationMethods,
  kSampler,
  kSimplex,
  kSamples,
  kDropoutRate,
  kRotation,
  kBandit,
  kReferral,
  kUci,
};

/// Description of a laboratory, for lists and headings.
struct LaboratoryInfo {
  Laboratory id{};
  const char* key = nullptr;          ///< "regression", also the subcommand
  const char* name = nullptr;         ///< "What a bridge is worth"
  const char* tab = nullptr;          ///< "Bridges", where there is little room
  const char* explanation = nullptr;  ///< one or two sentences for a student
  const char* theory = nullptr;       ///< anchor in docs/theory.md
};

/// All laboratories, in the order of lists.
[[nodiscard]] const std::vector<LaboratoryInfo>& laboratories();
[[nodiscard]] const LaboratoryInfo& describe(Laboratory laboratory);
/// Null if there is none.
[[nodiscard]] const LaboratoryInfo* findLaboratory(std::string_view key);

}  // namespace dubito
