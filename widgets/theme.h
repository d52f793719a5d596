// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

class QApplication;
class QPalette;

namespace dubito {

/// Meaning of a colour; always paired with a second cue (dash, weight, position, text).
enum class ColorRole { kCorrect, kMisclassified, kOod, kAccent, kMuted, kText };

/// The window's colours and their meanings, in one place for all pages.
struct Theme {
  bool dark = false;
  QColor window, panel, text, muted, grid, accent;
  QColor correct, misclassified, ood;
  QColor selection;  ///< selection and threshold: the text colour
  QColor border;     ///< frames of cards and fields
  QColor highlight;  ///< background of the selected row of a list
  QColor on_accent;  ///< text on the accent colour

  [[nodiscard]] static Theme light();
  [[nodiscard]] static Theme darkTheme();
  /// The theme that matches the desktop colours: dark if windows are darker than their text.
  [[nodiscard]] static Theme ofPalette(const QPalette& palette);

  [[nodiscard]] QColor color(ColorRole role) const;
  /// Colour of run `index` (modulo the number of hues); no group uses these hues.
  [[nodiscard]] QColor runColor(int index) const;
  /// Colour of class `k` >= 0: the run hues, then lighter or darker variants.
  [[nodiscard]] QColor classColor(int k) const;
  friend bool operator==(const Theme&, const Theme&) = default;
};

/// The four text sizes, in points.
enum class TypeSize { kSmall = 9, kBody = 10, kTitle = 12, kHeading = 16 };

/// The system font at one of the four sizes.
[[nodiscard]] QFont uiFont(TypeSize size, bool bold = false);

/// Layout grid step in device-independent pixels; every margin and gap is a multiple of it.
inline constexpr int kGrid = 4;

/// Label width in forms, so that fields of stacked forms align.
inline constexpr int kFormLabelWidth = 30 * kGrid;

/// Notifies widgets of theme changes: connect to `changed`, then read currentTheme().
class ThemeNotifier : public QObject {
  Q_OBJECT
 public:
  [[nodiscard]] static ThemeNotifier& instance();

 Q_SIGNALS:
  void changed();
};

/// The active theme; light until applyTheme is called.
[[nodiscard]] const Theme& currentTheme();

/// Makes `theme` the active one for its lifetime without notifying anyone: for rendering pictures
/// in another theme than the window's. GUI thread only.
class ThemeScope {
 public:
  explicit ThemeScope(const Theme& theme);
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

 private:
  Theme before_;
};

/// Sets style, palette, font and style sheet of the application and repaints everything. Can be
/// called repeatedly.
void applyTheme(QApplication& application, const Theme& theme);

/// `color` with `alpha` in [0, 1].
[[nodiscard]] QColor translucent(QColor color, double alpha);
/// `color` blended over `ground` with weight `share` in [0, 1], opaque.
[[nodiscard]] QColor blend(const QColor& ground, const QColor& color, double share);

}  // namespace dubito
