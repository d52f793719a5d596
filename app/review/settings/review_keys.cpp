// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_keys.h"

#include <QKeyEvent>
#include <QSettings>
#include <QStringList>
#include <algorithm>
#include <array>

namespace dubito {
namespace {

struct CommandKeys {
  ReviewCommand command;
  const char* setting;
  const char* name;
  const char* keys;  ///< separated by "; "
};

constexpr std::array kCommands{
    CommandKeys{
        ReviewCommand::kAccept, "accept",
        QT_TRANSLATE_NOOP("dubito::ReviewKeys", "What the line below the image says is right"),
        "Enter"},
    CommandKeys{ReviewCommand::kGiven, "given",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "The given label is right"), "Space"},
    CommandKeys{ReviewCommand::kNone, "none",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "None of the classes is right"), "N"},
    CommandKeys{
        ReviewCommand::kAmbiguous, "ambiguous",
        QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Nobody can tell, or several classes are right"),
        "U"},
    CommandKeys{ReviewCommand::kSkip, "skip",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Skip, decide later"), "S"},
    CommandKeys{ReviewCommand::kFlag, "flag",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Mark for somebody else"), "G"},
    CommandKeys{ReviewCommand::kNext, "next", QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Next image"),
                "D; Right"},
    CommandKeys{ReviewCommand::kPrevious, "previous",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Previous image"), "A; Left"},
    CommandKeys{ReviewCommand::kNextUndecided, "next-undecided",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Next image without a decision"),
                "Ctrl+Shift+D"},
    CommandKeys{ReviewCommand::kPreviousUndecided, "previous-undecided",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Previous image without a decision"),
                "Ctrl+Shift+A"},
    CommandKeys{ReviewCommand::kUndo, "undo",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Undo the last decision"), "Ctrl+Z"},
    CommandKeys{ReviewCommand::kRedo, "redo", QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Redo"),
                "Ctrl+Shift+Z; Ctrl+Y"},
    CommandKeys{ReviewCommand::kHide, "hide",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Hide or show the suggestion"), "H"},
    CommandKeys{ReviewCommand::kSearch, "search",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Search the classes"), "/"},
    CommandKeys{ReviewCommand::kFit, "fit",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Fit the image to the view"), "Z"},
    CommandKeys{ReviewCommand::kTurn, "turn",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Turn the image on the screen"), "Ctrl+R"},
    CommandKeys{ReviewCommand::kLight, "light",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Brightness and contrast on the screen"),
                "Ctrl+B"},
    CommandKeys{ReviewCommand::kComment, "comment",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Write a comment on the image"), "Ctrl+M"},
    CommandKeys{ReviewCommand::kEnlarge, "enlarge",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Show the image alone, or restore"), "F"},
    CommandKeys{ReviewCommand::kCancel, "cancel", QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Cancel"),
                "Esc"},
    CommandKeys{ReviewCommand::kKeys, "keys",
                QT_TRANSLATE_NOOP("dubito::ReviewKeys", "Show and change these keys"), "?"}};

constexpr auto kCommandOrder = [] {
  std::array<ReviewCommand, kCommands.size()> order{};
  std::ranges::transform(kCommands, order.begin(), &CommandKeys::command);
  return order;
}();

struct PresetKeys {
  ReviewCommand command;
  const char* keys;
};
struct Preset {
  const char* key;
  const char* name;
  std::vector<PresetKeys> differences;  ///< from the default keys
};

/// Keys that the manuals of these tools name for the same command.
const std::vector<Preset>& allPresets() {
  static const std::vector<Preset> all = {{"dubito", "Dubito", {}},
                                          {"labelme",
                                           "labelme",
                                           {{ReviewCommand::kNext, "D; Ctrl+Shift+D"},
                                            {ReviewCommand::kPrevious, "A; Ctrl+Shift+A"},
                                            {ReviewCommand::kNextUndecided, "Right"},
                                            {ReviewCommand::kPreviousUndecided, "Left"},
                                            {ReviewCommand::kFit, "Ctrl+F"}}},
                                          {"cvat",
                                           "CVAT",
                                           {{ReviewCommand::kNext, "F"},
                                            {ReviewCommand::kPrevious, "D"},
                                            {ReviewCommand::kNextUndecided, "Right"},
                                            {ReviewCommand::kPreviousUndecided, "Left"},
                                            {ReviewCommand::kEnlarge, "Shift+F"}}}};
  return all;
}

const CommandKeys& describeCommand(ReviewCommand command) {
  return *std::ranges::find(kCommands, command, &CommandKeys::command);
}

QString settingOf(ReviewCommand command) {
  return QStringLiteral("review/keys/") + QLatin1String(describeCommand(command).setting);
}

QList<QKeySequence> parseKeys(const QString& text) {
  QList<QKeySequence> keys = QKeySequence::listFromString(text);
  keys.removeIf([](const QKeySequence& key) {
    return key.count() != 1 || key[0].key() == Qt::Key_unknown || key[0].key() == 0;
  });
  return keys;
}

}  // namespace

ReviewKeys::ReviewKeys(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), keys_(keysOfPreset({})) {
  for (auto& [command, keys] : keys_) {
    if (const QVariant saved = settings_.value(settingOf(command)); saved.isValid()) {
      keys = parseKeys(saved.toString());
    }
  }
}

std::span<const ReviewCommand> ReviewKeys::commands() {
  return kCommandOrder;
}

QString ReviewKeys::nameOf(ReviewCommand command) {
  return tr(describeCommand(command).name);
}

std::vector<KeyPreset> ReviewKeys::presets() {
  std::vector<KeyPreset> presets;
  for (const Preset& preset : allPresets()) {
    presets.push_back({QLatin1String(preset.key), QLatin1String(preset.name)});
  }
  return presets;
}

bool ReviewKeys::decides(ReviewCommand command) {
  return command <= ReviewCommand::kFlag;
}

bool ReviewKeys::repeats(ReviewCommand command) {
  return command >= ReviewCommand::kNext && command <= ReviewCommand::kRedo;
}

QKeySequence ReviewKeys::keyOf(const QKeyEvent& event) {
  int key = event.key();
  switch (key) {
    case 0:
    case Qt::Key_unknown:
    case Qt::Key_Shift:
    case Qt::Key_Control:
    case Qt::Key_Meta:
    case Qt::Key_Alt:
    case Qt::Key_AltGr:
    case Qt::Key_CapsLock:
    case Qt::Key_NumLock:
      return {};
    case Qt::Key_Return:
      key = Qt::Key_Enter;
      break;
    default:
      break;
  }
  Qt::KeyboardModifiers modifiers = event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier |
                                                         Qt::AltModifier | Qt::MetaModifier);
  const QString text = event.text();
  if (text.size() == 1 && text[0].isPrint() && !text[0].isLetter() && !text[0].isSpace()) {
    modifiers &= ~Qt::KeyboardModifiers(Qt::ShiftModifier);
  }
  return QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key)));
}

QString ReviewKeys::textOf(const QKeySequence& key) {
  return key.toString(QKeySequence::NativeText);
}

const QList<QKeySequence>& ReviewKeys::keysOf(ReviewCommand command) const {
  return keys_.at(command);
}

QString ReviewKeys::keysText(ReviewCommand command) const {
  QStringList texts;
  for (const QKeySequence& key : keysOf(command)) {
    texts << textOf(key);
  }
  return texts.join(QStringLiteral(", "));
}

QString ReviewKeys::withKey(const QString& text, ReviewCommand command) const {
  const QList<QKeySequence>& keys = keysOf(command);
  return keys.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, textOf(keys.front()));
}

std::optional<ReviewCommand> ReviewKeys::commandOf(const QKeySequence& key) const {
  if (key.isEmpty()) {
    return std::nullopt;
  }
  const auto found =
      std::ranges::find_if(keys_, [&key](const auto& entry) { return entry.second.contains(key); });
  return found == keys_.end() ? std::nullopt : std::optional(found->first);
}

std::optional<ReviewCommand> ReviewKeys::commandOf(const QKeyEvent& event) const {
  return commandOf(keyOf(event));
}

void ReviewKeys::setKeys(ReviewCommand command, const QList<QKeySequence>& keys) {
  keys_[command] = keys;
  save(command);
  Q_EMIT changed();
}

void ReviewKeys::save(ReviewCommand command) {
  // Defaults are not stored, so that they may improve.
  if (keysOf(command) == defaultKeysOf(command)) {
    settings_.remove(settingOf(command));
  } else {
    settings_.setValue(settingOf(command), QKeySequence::listToString(keysOf(command)));
  }
}

ReviewKeys::Keys ReviewKeys::keysOfPreset(const QString& key) {
  Keys keys;
  for (const CommandKeys& command : kCommands) {
    keys[command.command] = parseKeys(QLatin1String(command.keys));
  }
  for (const Preset& preset : allPresets()) {
    if (key == QLatin1String(preset.key)) {
      for (const PresetKeys& different : preset.differences) {
        keys[different.command] = parseKeys(QLatin1String(different.keys));
      }
    }
  }
  return keys;
}

void ReviewKeys::usePreset(const QString& key) {
  keys_ = keysOfPreset(key);
  for (const ReviewCommand command : commands()) {
    save(command);
  }
  Q_EMIT changed();
}

QString ReviewKeys::preset() const {
  for (const KeyPreset& preset : presets()) {
    if (keys_ == keysOfPreset(preset.key)) {
      return preset.key;
    }
  }
  return {};
}

QList<QKeySequence> ReviewKeys::defaultKeysOf(ReviewCommand command) {
  return parseKeys(QLatin1String(describeCommand(command).keys));
}

}  // namespace dubito
