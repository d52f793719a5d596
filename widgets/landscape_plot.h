// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// A quantity as a function of x, drawn on a separate y axis.
struct LandscapeCurve {
  QString name;           ///< "NLL"
  QString unit;           ///< "nats", or empty
  std::vector<double> y;  ///< one value per x; NaN: unknown
  /// Uses a logarithmic axis, so that small values remain distinguishable next to large ones.
  /// Requires values >= 0; values below 1e-4 of the largest are clamped.
  bool logarithmic = false;
  /// Limits the axis to the upper two thirds of the values, because only the region around the
  /// maximum matters.
  bool peak = false;

  /// Axis title: "NLL (nats)".
  [[nodiscard]] QString title() const;
};

/// Several quantities as functions of one positive variable x, such as a temperature.
struct LandscapeValue {
  QString x_label;                     ///< "temperature T"
  std::vector<double> log10_x;         ///< ascending
  std::vector<LandscapeCurve> curves;  ///< at most three, top to bottom
};

/// Curves in vertically stacked panels with a common logarithmic x axis. A draggable line marks the
/// chosen x, a dashed line a recommended one.
class LandscapePlot : public PlotBase {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaxCurves = 3;

  explicit LandscapePlot(QWidget* parent = nullptr);
  ~LandscapePlot() override;

  void setLandscape(LandscapeValue value);
  [[nodiscard]] const LandscapeValue& landscape() const { return value_; }
  /// Sets x of the draggable line (not its logarithm), without emitting a signal; nullopt: no line.
  void setPosition(std::optional<double> position);
  [[nodiscard]] std::optional<double> position() const { return position_; }
  /// Sets x of the dashed line (not its logarithm); nullopt: no line.
  void setMark(std::optional<double> mark);
  [[nodiscard]] std::optional<double> mark() const { return mark_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// The line is being dragged.
  void positionMoved(double position);
  /// The line was released.
  void positionReleased(double position);

 protected:
  void rebuild() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;

 private:
  struct Parts;
  void placePanels();
  void placeLines();
  void moveTo(const QPointF& place);

  LandscapeValue value_;
  std::optional<double> position_;
  std::optional<double> mark_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
