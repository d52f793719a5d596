// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "app/session/history.h"

namespace dubito {

/// The points that a laboratory shows.
template <class Data>
struct LabState {
  /// Specification of the data. What is computed or read is opened again from it, with the seed
  /// and the options of the day.
  QString source;
  std::optional<Data> own;  ///< points that were drawn or pasted
  int plane = 0;            ///< new for each dataset that is opened; drawing stays on it
};

/// The points that a laboratory has shown, so that steps can be taken back and done again.
template <class Data>
using LabHistory = History<LabState<Data>>;

}  // namespace dubito
