// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "app/labs/method_runner.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"
#include "core/labs/regression/regression_preset.h"

namespace dubito {

using RegressionPicturePtr = std::shared_ptr<const RegressionPicture>;

/// The types of the regression laboratory, for MethodRunner.
struct RegressionKind {
  using Info = RegressionMethodInfo;
  using Method = RegressionMethod;
  using Data = RegressionData;
  using Preset = RegressionPreset;
  using Lab = RegressionLab;
  using Picture = RegressionPicture;
  [[nodiscard]] static const Info* find(std::string_view key) { return findRegressionMethod(key); }
  [[nodiscard]] static Status check(const Data& data) { return checkRegressionData(data); }
};

/// Lets several methods of the regression laboratory work on the same data. Scores are older than
/// the curve while a method moves.
class RegressionRunner : public MethodRunner<RegressionKind> {
  Q_OBJECT
 public:
  using MethodRunner<RegressionKind>::MethodRunner;

 protected:
  [[nodiscard]] Start starter() const override;
  [[nodiscard]] Paint painter() const override;
};

}  // namespace dubito
