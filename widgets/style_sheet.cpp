// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style_sheet.h"

#include <QWidget>
#include <utility>

namespace dubito {
namespace {

// Names between @ signs are replaced by theme colours, sizes of text by these times the scale.
constexpr char kSheet[] = R"(
QToolTip { background: @panel@; color: @text@; border: 1px solid @border@; padding: 4px; }
QMainWindow, QDialog { background: @window@; }
QFrame[role="card"] { background: @panel@; border: 1px solid @border@; border-radius: 4px; }
QLabel[role="muted"] { color: @muted@; font-size: @9@pt; }
QLabel[role="title"] { font-size: @10@pt; font-weight: bold; }
QLabel[role="heading"] { font-size: @16@pt; font-weight: bold; }
QLabel[role="error"] { color: @misclassified@; font-size: @9@pt; }

QPushButton, QToolButton { background: @panel@; color: @text@; border: 1px solid @border@;
  border-radius: 4px; padding: 4px 12px; min-height: 16px; }
QPushButton:hover, QToolButton:hover { background: @hover@; }
QPushButton:pressed, QPushButton:checked, QToolButton:pressed, QToolButton:checked {
  background: @highlight@; }
QPushButton:focus, QToolButton:focus { border-color: @accent@; }
QPushButton:disabled, QToolButton:disabled { color: @disabled@; }
QPushButton[role="primary"], QToolButton[role="primary"] { background: @accent@;
  color: @on_accent@; border-color: @accent@; }
QPushButton[role="primary"]:hover, QToolButton[role="primary"]:hover {
  background: @accent_hover@; }
QPushButton[role="primary"]:focus, QToolButton[role="primary"]:focus { border-color: @text@; }
QPushButton[role="primary"]:disabled, QToolButton[role="primary"]:disabled {
  background: @grid@; border-color: @grid@; color: @disabled@; }
QPushButton[role="quiet"], QToolButton[role="quiet"] { background: transparent; border: none;
  color: @accent@; font-weight: bold; }
QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover,
QPushButton[role="quiet"]:focus { text-decoration: underline; }
QToolButton[role="place"] { background: transparent; border: none; color: @muted@;
  font-weight: bold; padding: 0 4px; min-height: 0; }
QToolButton[role="place"]:hover { background: @hover@; color: @text@; }
QToolButton[role="place"]:focus { color: @accent@; }
QToolButton[role="mark"] { background: @accent@; color: @on_accent@; border: none; padding: 0;
  min-height: 0; font-weight: bold; }
QToolButton[role="mark"]:hover, QToolButton[role="mark"]:focus { background: @accent_hover@; }

QFileDialog QToolButton { padding: 2px; min-height: 0; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit { background: @panel@;
  color: @text@; border: 1px solid @border@; border-radius: 4px; padding: 3px 6px;
  selection-background-color: @accent@; selection-color: @on_accent@; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: @accent@; }
QComboBox[role="title"] { border: none; background: transparent; font-weight: bold;
  padding: 0; combobox-popup: 0; }
QComboBox[role="plain"] { border: none; background: transparent; color: @muted@; font-size: @9@pt;
  padding: 0; }
QComboBox[role="title"]:hover, QComboBox[role="plain"]:hover { background: @hover@; }
QComboBox[role="title"]:focus, QComboBox[role="plain"]:focus { color: @accent@; }
QComboBox[role="plain"]:disabled { color: @disabled@; background: transparent; }
QLineEdit[invalid="true"], QAbstractSpinBox[invalid="true"],
QComboBox[invalid="true"] { border-color: @misclassified@; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
  color: @disabled@; background: @window@; }

QAbstractSpinBox { padding-right: 20px; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right;
  width: 18px; margin: 1px 2px 0 0; border: none; background: transparent; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right;
  width: 18px; margin: 0 2px 1px 0; border: none; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover@; }
QAbstractSpinBox::up-arrow { image: url(:/dubito/icons/arrow-up-@variant@.svg); width: 8px;
  height: 8px; }
QAbstractSpinBox::down-arrow { image: url(:/dubito/icons/arrow-down-@variant@.svg); width: 8px;
  height: 8px; }
QPushButton::menu-indicator { image: url(:/dubito/icons/arrow-down-@variant@.svg); width: 8px;
  height: 8px; subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/dubito/icons/arrow-down-@variant@.svg); width: 8px;
  height: 8px; }
QComboBox QAbstractItemView { background: @panel@; border: 1px solid @border@; outline: 0;
  selection-background-color: @highlight@; selection-color: @text@; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator, QListView::indicator, QTreeView::indicator,
QTableView::indicator { width: 14px; height: 14px;
  border: 1px solid @muted@; border-radius: 3px; background: @panel@; }
QCheckBox::indicator:checked, QListView::indicator:checked, QTreeView::indicator:checked,
QTableView::indicator:checked {
  background: @accent@; border-color: @accent@;
  image: url(:/dubito/icons/check-@variant@.svg); }
QCheckBox::indicator:disabled { border-color: @disabled@; }
QCheckBox:focus { color: @accent@; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; border: none; }
QTabBar::tab { background: transparent; color: @muted@; padding: 8px 14px; border: none;
  border-bottom: 3px solid transparent; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @accent@; font-weight: bold; border-bottom-color: @accent@; }
QTabBar::scroller { width: 32px; }
QTabBar QToolButton { background: @panel@; border: 1px solid @border@; border-radius: 4px; }
QTabBar QToolButton::left-arrow { image: url(:/dubito/icons/arrow-left-@variant@.svg); width: 8px;
  height: 8px; }
QTabBar QToolButton::right-arrow { image: url(:/dubito/icons/arrow-right-@variant@.svg); width: 8px;
  height: 8px; }
QToolBar { background: @panel@; border: none; border-bottom: 1px solid @border@; spacing: 8px;
  padding: 4px 8px; }
QStatusBar { background: @panel@; border-top: 1px solid @border@; }
QStatusBar::item { border: none; }
QSplitter::handle { background: @window@; }
QMenu { background: @panel@; color: @text@; border: 1px solid @border@; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 12px; border-radius: 4px; }
QMenu::item:selected { background: @highlight@; color: @text@; }
QMenu::item:disabled { color: @disabled@; }
QMenu::separator { height: 1px; background: @grid@; margin: 4px; }

QTreeView, QListView, QTableView { background: @panel@; alternate-background-color: @panel@;
  color: @text@; border: none; gridline-color: @grid@; outline: 0; }
QTreeView::item, QListView::item { padding: 3px; border-radius: 4px; }
QTreeView::item:hover, QListView::item:hover { background: @hover@; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {
  background: @highlight@; color: @text@; }
QHeaderView { background: @panel@; }
QHeaderView::section { background: @panel@; color: @muted@; border: none; padding: 3px 8px; }
QTableView[role="compact"] QHeaderView::section { padding: 3px; }

QProgressBar { background: @grid@; border: none; border-radius: 4px; min-height: 8px;
  max-height: 8px; }
QProgressBar::chunk { background: @accent@; border-radius: 4px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll@; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @muted@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

}  // namespace

QPalette paletteOf(const Theme& theme) {
  QPalette palette;
  const std::pair<QPalette::ColorRole, QColor> colors[] = {
      {QPalette::Window, theme.window},
      {QPalette::WindowText, theme.text},
      {QPalette::Base, theme.panel},
      {QPalette::AlternateBase, theme.window},
      {QPalette::Text, theme.text},
      {QPalette::Button, theme.panel},
      {QPalette::ButtonText, theme.text},
      {QPalette::BrightText, theme.on_accent},
      {QPalette::ToolTipBase, theme.panel},
      {QPalette::ToolTipText, theme.text},
      {QPalette::PlaceholderText, theme.muted},
      {QPalette::Highlight, theme.accent},
      {QPalette::HighlightedText, theme.on_accent},
      {QPalette::Link, theme.accent},
      {QPalette::LinkVisited, theme.accent},
      {QPalette::Light, theme.panel},
      {QPalette::Midlight, theme.grid},
      {QPalette::Mid, theme.border},
      {QPalette::Dark, theme.border},
      {QPalette::Shadow, theme.border},
  };
  for (const auto& [role, color] : colors) {
    palette.setColor(role, color);
  }
  const QColor disabled = blend(theme.muted, theme.panel, 0.45);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, disabled);
  }
  return palette;
}

QString styleSheetOf(const Theme& theme, double text_scale) {
  const std::pair<const char*, QColor> colors[] = {
      {"window", theme.window},
      {"panel", theme.panel},
      {"text", theme.text},
      {"muted", theme.muted},
      {"grid", theme.grid},
      {"accent", theme.accent},
      {"on_accent", theme.on_accent},
      {"misclassified", theme.misclassified},
      {"border", theme.border},
      {"highlight", theme.highlight},
      {"hover", blend(theme.panel, theme.text, 0.06)},
      {"accent_hover", blend(theme.accent, theme.text, 0.15)},
      {"disabled", blend(theme.muted, theme.panel, 0.45)},
      {"scroll", blend(theme.panel, theme.muted, 0.4)},
  };
  QString sheet = QString::fromLatin1(kSheet);
  sheet.replace(QStringLiteral("@variant@"),
                theme.dark ? QStringLiteral("dark") : QStringLiteral("light"));
  for (const TypeSize size : {TypeSize::kSmall, TypeSize::kBody, TypeSize::kHeading}) {
    const int points = static_cast<int>(size);
    sheet.replace(QStringLiteral("@%1@").arg(points), QString::number(points * text_scale));
  }
  for (const auto& [name, color] : colors) {
    sheet.replace(QStringLiteral("@%1@").arg(QLatin1String(name)), color.name());
  }
  return sheet;
}

QString bannerSheet(const QWidget& banner, const QColor& stripe) {
  return QStringLiteral("#%1 { background: %2; border: none; border-left: 4px solid %3; }")
      .arg(banner.objectName(), currentTheme().panel.name(), stripe.name());
}

void styleAsBanner(QWidget& banner, QColor Theme::*stripe) {
  const auto restyle = [&banner, stripe] {
    banner.setStyleSheet(bannerSheet(banner, currentTheme().*stripe));
  };
  QObject::connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, &banner, restyle);
  restyle();
}

}  // namespace dubito
