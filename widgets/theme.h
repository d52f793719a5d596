// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

class QApplication;
class QPalette;

namespace dubito {

/// What a colour stands for; never used without a second mark (dash, weight, position, text).
enum class ColorRole { kCorrect, kMisclassified, kOod, kAccent, kMuted, kText };

/// The colours of the window and their meanings; one place for all pages.
struct Theme {
  bool dark = false;
  QColor window, panel, text, muted, grid, accent;
  QColor correct, misclassified, ood;
  QColor selection;  ///< selection and threshold: the text colour
  QColor border;     ///< frames of cards and fields
  QColor highlight;  ///< background of the chosen row of a list
  QColor on_accent;  ///< text on the accent colour

  [[nodiscard]] static Theme light();
  [[nodiscard]] static Theme darkTheme();
  /// The one that goes with the colours of the desktop: dark where its windows are darker than
  /// their text.
  [[nodiscard]] static Theme ofPalette(const QPalette& palette);

  [[nodiscard]] QColor color(ColorRole role) const;
  /// Colour of run number `index` (taken modulo the number of hues): hues that no group uses.
  [[nodiscard]] QColor runColor(int index) const;
  /// Colour of class `k` >= 0: the hues of runs, then the same lighter or darker.
  [[nodiscard]] QColor classColor(int k) const;
  friend bool operator==(const Theme&, const Theme&) = default;
};

/// The four sizes of text, in points.
enum class TypeSize { kSmall = 9, kBody = 10, kTitle = 12, kHeading = 16 };

/// The system font in one of the four sizes.
[[nodiscard]] QFont uiFont(TypeSize size, bool bold = false);

/// Step of the layout grid in device-independent pixels; every margin and gap is a multiple.
inline constexpr int kGrid = 4;

/// Width of the labels of a form, so that the fields of forms one below the other align.
inline constexpr int kFormLabelWidth = 30 * kGrid;

/// Tells widgets that the theme changed: connect to `changed`, then read currentTheme().
class ThemeNotifier : public QObject {
  Q_OBJECT
 public:
  [[nodiscard]] static ThemeNotifier& instance();

 Q_SIGNALS:
  void changed();
};

/// The theme in force; the light one until applyTheme was called.
[[nodiscard]] const Theme& currentTheme();

/// While it lives, `theme` is in force for what is drawn by the code around it, and nobody is told:
/// for pictures in another theme than that of the window. GUI thread only.
class ThemeScope {
 public:
  explicit ThemeScope(const Theme& theme);
  ~ThemeScope();
  ThemeScope(const ThemeScope&) = delete;
  ThemeScope& operator=(const ThemeScope&) = delete;

 private:
  Theme before_;
};

/// Sets style, palette, font and style sheet of the whole application and repaints everything. May
/// be called again at any time.
void applyTheme(QApplication& application, const Theme& theme);

/// `color` with `alpha` in [0, 1].
[[nodiscard]] QColor translucent(QColor color, double alpha);
/// `share` in [0, 1] of `color` over `ground`, opaque.
[[nodiscard]] QColor blend(const QColor& ground, const QColor& color, double share);

}  // namespace dubito
