// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

class QLabel;

namespace dubito {

class MarkedSlider;
class NumberBox;

/// Range of a ValueSlider.
struct SliderRange {
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;  ///< logarithmic scale; requires low > 0
  bool whole = false;        ///< integers only, on a linear scale
  int digits = 4;            ///< significant digits of the numbers that the handle chooses
};

/// An editor for a number: a name, a slider, and a box for typing the number. One slider position
/// can be marked.
class ValueSlider : public QWidget {
  Q_OBJECT
 public:
  explicit ValueSlider(const QString& name, QWidget* parent = nullptr);

  void setRange(const SliderRange& range);
  /// Widths as in setTextWidth(), if they differ from those of forms.
  void setNameWidth(int width);
  void setBoxWidth(int width);
  [[nodiscard]] const SliderRange& range() const { return range_; }
  /// Sets the value, clamped to the range, without emitting a signal.
  void setValue(double value);
  [[nodiscard]] double value() const { return value_; }
  /// True while the user drags the handle.
  [[nodiscard]] bool isDragged() const;
  /// Sets a mark under the slider at `value`, with `meaning` as its tooltip; nullopt: none.
  void setMark(std::optional<double> value, const QString& meaning = {});
  [[nodiscard]] std::optional<double> mark() const { return mark_; }

 Q_SIGNALS:
  /// The handle is being dragged.
  void moved(double value);
  /// The handle was released or moved by a key, or a number was typed.
  void settled(double value);

 private:
  [[nodiscard]] int stepOf(double value) const;
  [[nodiscard]] double valueAt(int step) const;
  void showValue();
  /// Shows the value in the box, rounded to as many digits as fit.
  void showNumber();
  void applyStep(int step);
  void applyText();
  /// Typing has ended: what is no value of the range gives way to the nearest one.
  void finishText();

  SliderRange range_;
  double value_ = 0.0;
  std::optional<double> mark_;
  QLabel* name_;
  MarkedSlider* slider_;
  NumberBox* box_;
  bool showing_ = false;  ///< the program, not the user, is setting the slider
};

}  // namespace dubito
