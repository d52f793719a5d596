// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

class QLabel;

namespace dubito {

class MarkedSlider;
class NumberBox;

/// What a ValueSlider lets be chosen.
struct SliderRange {
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;  ///< equal ways are equal factors; low > 0
  bool whole = false;        ///< whole numbers alone, on a linear scale
};

/// One number: its name, a slider, and a box to type it in. A place of the slider can be marked.
class ValueSlider : public QWidget {
  Q_OBJECT
 public:
  explicit ValueSlider(const QString& name, QWidget* parent = nullptr);

  void setRange(const SliderRange& range);
  [[nodiscard]] const SliderRange& range() const { return range_; }
  /// Shows the value, taken into the range, without a signal.
  void setValue(double value);
  [[nodiscard]] double value() const { return value_; }
  /// The user has hold of the handle.
  [[nodiscard]] bool isDragged() const;
  /// A tick under the slider, with what it means; nothing: none.
  void setMark(std::optional<double> value, const QString& meaning = {});
  [[nodiscard]] std::optional<double> mark() const { return mark_; }

 Q_SIGNALS:
  /// While the handle is held.
  void moved(double value);
  /// The handle was let go, stepped by a key, or a number was typed.
  void settled(double value);

 private:
  [[nodiscard]] int stepOf(double value) const;
  [[nodiscard]] double valueAt(int step) const;
  void showValue();
  /// The value in the box, to the digits that it has room for.
  void showNumber();
  void takeStep(int step);
  void takeText();

  SliderRange range_;
  double value_ = 0.0;
  std::optional<double> mark_;
  QLabel* name_;
  MarkedSlider* slider_;
  NumberBox* box_;
  bool showing_ = false;  ///< the slider is being set, not moved
};

}  // namespace dubito
