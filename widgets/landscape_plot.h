// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "widgets/plot_base.h"

namespace dubito {

/// One quantity of a landscape; it gets an axis of its own.
struct LandscapeCurve {
  QString name;           ///< "NLL"; with the unit the title of its axis
  QString unit;           ///< "nats", or empty
  std::vector<double> y;  ///< one a place; NaN: not known
  /// Of values >= 0: equal factors are equal heights, so that the lowest are told apart beside
  /// large ones. Those below a ten-thousandth of the largest are drawn there.
  bool logarithmic = false;
  /// The highest values matter: the axis leaves the lowest third of them out.
  bool peak = false;

  /// "NLL (nats)".
  [[nodiscard]] QString title() const;
};

/// How some quantities depend on one positive number.
struct LandscapeValue {
  QString x_label;                     ///< "temperature T"
  std::vector<double> log10_x;         ///< ascending
  std::vector<LandscapeCurve> curves;  ///< three at most, from top to bottom
};

/// Curves over the logarithm of one number, one above the other, with a line at the number that is
/// chosen, which can be dragged, and a dashed one at a number that is recommended.
class LandscapePlot : public PlotBase {
  Q_OBJECT
 public:
  static constexpr std::size_t kMostCurves = 3;

  explicit LandscapePlot(QWidget* parent = nullptr);
  ~LandscapePlot() override;

  void setLandscape(LandscapeValue value);
  [[nodiscard]] const LandscapeValue& landscape() const { return value_; }
  /// The number itself, not its logarithm; without a signal. Nothing: no line.
  void setPosition(std::optional<double> position);
  [[nodiscard]] std::optional<double> position() const { return position_; }
  void setMark(std::optional<double> mark);
  [[nodiscard]] std::optional<double> mark() const { return mark_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// While the line is dragged.
  void positionMoved(double position);
  /// The mouse let go of it.
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
