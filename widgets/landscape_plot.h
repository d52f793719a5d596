// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// One quantity of a landscape, drawn on its own axis.
struct LandscapeCurve {
  QString name;           ///< "NLL"; with the unit, the axis title
  QString unit;           ///< "nats", or empty
  std::vector<double> y;  ///< one value per position; NaN: unknown
  /// For values >= 0: a logarithmic axis, so that small values remain distinguishable next to large
  /// ones. Values below 1e-4 of the largest are clamped.
  bool logarithmic = false;
  /// The maximum matters: the axis omits the lowest third of the values.
  bool peak = false;

  /// "NLL (nats)".
  [[nodiscard]] QString title() const;
};

/// Several quantities as functions of one positive number.
struct LandscapeValue {
  QString x_label;                     ///< "temperature T"
  std::vector<double> log10_x;         ///< ascending
  std::vector<LandscapeCurve> curves;  ///< at most three, top to bottom
};

/// Curves over a logarithmic x axis, stacked vertically, with a draggable line at the chosen value
/// and a dashed line at a recommended one.
class LandscapePlot : public PlotBase {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaxCurves = 3;

  explicit LandscapePlot(QWidget* parent = nullptr);
  ~LandscapePlot() override;

  void setLandscape(LandscapeValue value);
  [[nodiscard]] const LandscapeValue& landscape() const { return value_; }
  /// In linear units, without emitting a signal. nullopt: no line.
  void setPosition(std::optional<double> position);
  [[nodiscard]] std::optional<double> position() const { return position_; }
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
