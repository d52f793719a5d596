// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/workbench/compute_request.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// Writes four images of 28 x 28 into the file `path` whose values overflow in a network, which
/// then fails while it predicts. Returns the specification of the dataset.
[[nodiscard]] std::string tooBrightImages(const std::string& path);

/// A small network and two datasets with copies of their files below `dir`: model/net.pt,
/// data/digits-*.gz, data/signs-*.gz.
struct WorkspaceFiles {
  explicit WorkspaceFiles(const std::string& folder);

  std::string folder;
  std::string model;
  std::string digits;  ///< specification, 30 labelled items
  std::string signs;   ///< specification, 20 items

  /// A MAP run over digits, with signs as OOD.
  [[nodiscard]] ComputeRequest request() const;

  /// Model, digits and signs, and one MAP run over both that is in memory alone.
  void fill(Session& session) const;
};

}  // namespace dubito::test
