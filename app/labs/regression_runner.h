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
  using Lab = RegressionLab;
  using Picture = RegressionPicture;
  [[nodiscard]] static const Info* find(std::string_view key) { return findRegressionMethod(key); }
};

/// Lets several methods of the regression laboratory work on the same data.
class RegressionRunner : public MethodRunner<RegressionKind> {
  Q_OBJECT
 public:
  using MethodRunner<RegressionKind>::MethodRunner;

  /// Replaces the data; all methods start again. Invalid data (too few points, for example) stop
  /// all methods, with the reason in dataError().
  void setData(RegressionData data);
  [[nodiscard]] const RegressionData& data() const { return data_; }
  [[nodiscard]] const QString& dataError() const { return data_error_; }
  /// Replaces all methods, their options, the shared options and the seed. The data stay.
  void apply(const RegressionPreset& preset);
  /// Methods, options and seed; the caller adds the data.
  [[nodiscard]] RegressionPreset preset() const;
  [[nodiscard]] RegressionLabOptions& options() { return options_; }

 protected:
  [[nodiscard]] Start starter() const override;
  [[nodiscard]] Paint painter() const override;
  [[nodiscard]] bool isReady() const override { return data_error_.isEmpty(); }
  // Those of methods that move may have old scores.
  [[nodiscard]] bool hasCoarsePictures() const override { return true; }

 private:
  RegressionData data_;
  QString data_error_;
  RegressionLabOptions options_;
};

}  // namespace dubito
