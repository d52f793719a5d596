// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

class QApplication;
class QPalette;

namespace dubito {

/// Meaning of a colour. Plots always add a second cue (dash, weight, position, text).
enum class ColorRole { kCorrect, kMisclassified, kOod, kAccent, kMuted, kText };

/// The colours of the window, named by their meaning.
struct Theme {
  bool dark = false;
  QColor window, panel, text, muted, grid, accent;
  QColor correct, misclassified, ood;
  QColor selection;  ///< marks of selections and thresholds; equals `text`
  QColor border;     ///< frames of cards and fields
  QColor highlight;  ///< background of the selected row of a list
  QColor on_accent;  ///< text on the accent colour

  [[nodiscard]] static Theme light();
  [[nodiscard]] static Theme darkTheme();
  /// The theme that matches a desktop palette: dark if windows are darker than their text.
  [[nodiscard]] static Theme ofPalette(const QPalette& palette);

  [[nodiscard]] QColor color(ColorRole role) const;
  /// Colour of run `index`, modulo the number of hues. Item groups do not use these hues.
  [[nodiscard]] QColor runColor(int index) const;
  /// Number of different runColor().
  static constexpr int kRunHues = 4;
  /// Colour of class `k` >= 0: the run hues, then lighter or darker variants.
  [[nodiscard]] QColor classColor(int k) const;
  friend bool operator==(const Theme&, const Theme&) = default;
};

/// The four text sizes, in points.
enum class TypeSize { kSmall = 9, kBody = 10, kTitle = 12, kHeading = 16 };

/// Factor of text and of lines in plots: 1, or more while the window is shown to an audience.
[[nodiscard]] double lookScale();
/// Sets lookScale(), above 0, and applies it to all widgets. GUI thread only.
void setLookScale(QApplication& application, double scale);

/// The system font at one of these sizes, times lookScale().
[[nodiscard]] QFont uiFont(TypeSize size, bool bold = false);

/// Layout grid step in device-independent pixels; every margin and gap is a multiple of it.
inline constexpr int kGrid = 4;

/// Width of labels in forms in device-independent pixels; common to all forms, so that fields of
/// stacked forms align.
inline constexpr int kFormLabelWidth = 30 * kGrid;

/// Notifies widgets of theme changes. They connect to changed() and then call currentTheme().
class ThemeNotifier : public QObject {
  Q_OBJECT
 public:
  [[nodiscard]] static ThemeNotifier& instance();

 Q_SIGNALS:
  void changed();
};

/// The active theme; light until applyTheme is called.
[[nodiscard]] const Theme& currentTheme();

/// Makes `theme` the active theme, and 1 the lookScale(), during the lifetime of this object
/// without notifying widgets. Used to render pictures in a different theme from that of the window.
/// GUI thread only.
class ThemeScope {
 public:
  explicit ThemeScope(const Theme& theme);
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

 private:
  Theme before_;
  double scale_before_;
};

/// Sets style, palette, font and style sheet of the application and repaints all widgets. Can be
/// called repeatedly.
void applyTheme(QApplication& application, const Theme& theme);

/// Returns `color` with the opacity `alpha` in [0, 1].
[[nodiscard]] QColor translucent(QColor color, double alpha);
/// Returns the opaque mixture of `color`, with weight `share` in [0, 1], and `ground`.
[[nodiscard]] QColor blend(const QColor& ground, const QColor& color, double share);

}  // namespace dubito
