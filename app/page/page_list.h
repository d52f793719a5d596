// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <span>

namespace dubito {

/// The pages of the window, in the order of their tabs.
enum class PageId : std::uint8_t {
  kOverview,
  kImages,
  kCompare,
  kTune,
  kShift,
  kReview,
  kTrain,
  kStudy,
  kLabs
};

struct PageInfo {
  PageId id;
  const char* key;    ///< "overview": in the names of commands and files
  const char* title;  ///< as titleOf(), not translated
  /// It shows items of the run: the inspector, the threshold, the choice of labels and pictures in
  /// reports belong to it.
  bool shows_run = true;
  /// The list of what is open stands next to it.
  bool uses_workspace = true;
};

/// By PageId.
[[nodiscard]] std::span<const PageInfo> allPages();
[[nodiscard]] const PageInfo& describe(PageId id);
/// The text on its tab.
[[nodiscard]] QString titleOf(PageId id);

}  // namespace dubito
