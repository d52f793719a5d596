// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "app/labs/method_runner.h"
#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/classification/classification_preset.h"

namespace dubito {

/// The types of the classification laboratory, for MethodRunner.
struct ClassificationKind {
  using Info = ClassMethodInfo;
  using Method = ClassMethod;
  using Lab = ClassificationLab;
  using Picture = ClassPicture;
  [[nodiscard]] static const Info* find(std::string_view key) { return findClassMethod(key); }
};

/// Lets several methods of the classification laboratory work on the same data. Maps are coarse
/// while anything moves and fine at rest.
class ClassificationRunner : public MethodRunner<ClassificationKind> {
  Q_OBJECT
 public:
  /// Cells per side of a coarse map, and draws for it.
  static constexpr std::int64_t kCoarseSide = 40;
  static constexpr std::int64_t kCoarseDraws = 20;

  using MethodRunner<ClassificationKind>::MethodRunner;

  /// Replaces the data; all methods start again. Invalid data (one class, for example) stop all
  /// methods, with the reason in dataError().
  void setData(ClassData data);
  [[nodiscard]] const ClassData& data() const { return data_; }
  [[nodiscard]] const QString& dataError() const { return data_error_; }
  /// Replaces all methods, their options, the shared options and the seed. The data stay.
  void apply(const ClassificationPreset& preset);
  /// Methods, options and seed; the caller adds the data and the map.
  [[nodiscard]] ClassificationPreset preset() const;
  /// Edited in place by forms; then redraw() applies what concerns pictures alone.
  [[nodiscard]] ClassificationLabOptions& options() { return options_; }
  [[nodiscard]] const ClassificationLabOptions& options() const { return options_; }
  /// Draws all maps again with the current zoom; `moving`: coarse ones, since more will follow.
  void setZoom(double zoom, bool moving);
  using MethodRunner<ClassificationKind>::redraw;

 protected:
  [[nodiscard]] Start starter() const override;
  [[nodiscard]] Paint painter() const override;
  [[nodiscard]] bool isReady() const override { return data_error_.isEmpty(); }
  [[nodiscard]] bool hasCoarsePictures() const override { return true; }

 private:
  ClassData data_;
  QString data_error_;
  ClassificationLabOptions options_;
};

}  // namespace dubito
