// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

class QKeyEvent;
class QSettings;

namespace dubito {

/// Commands of keys on the Review page, in addition to choosing a class.
enum class ReviewCommand : std::uint8_t {
  kAccept,
  kGiven,
  kNone,
  kAmbiguous,
  kSkip,
  kFlag,
  kNext,
  kPrevious,
  kNextUndecided,
  kPreviousUndecided,
  kUndo,
  kRedo,
  kHide,
  kSearch,
  kFit,
  kTurn,
  kLight,
  kComment,
  kEnlarge,
  kCancel,
  kKeys
};

/// A set of keys that people know from another tool.
struct KeyPreset {
  QString key;
  QString name;
};

/// The keys of the Review page. Each command has any number of keys, remembered in the settings.
/// The only place that knows them: hints on buttons and lists of keys read it. GUI thread only.
class ReviewKeys : public QObject {
  Q_OBJECT
 public:
  /// `settings` must outlive this.
  explicit ReviewKeys(QSettings& settings, QObject* parent = nullptr);

  /// In the order of the list of keys.
  [[nodiscard]] static std::span<const ReviewCommand> commands();
  /// "Skip, decide later".
  [[nodiscard]] static QString nameOf(ReviewCommand command);
  [[nodiscard]] static std::vector<KeyPreset> presets();
  /// Whether the command decides about the image shown; a key held down does so once.
  [[nodiscard]] static bool decides(ReviewCommand command);
  /// Whether a key held down repeats the command.
  [[nodiscard]] static bool repeats(ReviewCommand command);

  /// The key that an event presses, with modifiers: both Enter keys are the same, and Shift counts
  /// only with letters and named keys, because layouts differ in what needs it. Empty for a
  /// modifier alone.
  [[nodiscard]] static QKeySequence keyOf(const QKeyEvent& event);
  /// As shown: "Enter", "Ctrl+Z".
  [[nodiscard]] static QString textOf(const QKeySequence& key);

  [[nodiscard]] const QList<QKeySequence>& keysOf(ReviewCommand command) const;
  /// All keys of a command as shown: "D, Right"; empty if it has none.
  [[nodiscard]] QString keysText(ReviewCommand command) const;
  /// A text with the first key of a command, for buttons: "Skip (S)".
  [[nodiscard]] QString withKey(const QString& text, ReviewCommand command) const;
  [[nodiscard]] std::optional<ReviewCommand> commandOf(const QKeySequence& key) const;
  [[nodiscard]] std::optional<ReviewCommand> commandOf(const QKeyEvent& event) const;

  /// No keys: the command has none. The keys must not be those of another command.
  void setKeys(ReviewCommand command, const QList<QKeySequence>& keys);
  /// Replaces all keys by those of a preset; unknown keys of presets are ignored.
  void usePreset(const QString& key);
  /// The preset that the keys are those of; empty if there is none.
  [[nodiscard]] QString preset() const;
  void restoreDefaults() { usePreset(presets().front().key); }
  [[nodiscard]] static QList<QKeySequence> defaultKeysOf(ReviewCommand command);

 Q_SIGNALS:
  void changed();

 private:
  using Keys = std::map<ReviewCommand, QList<QKeySequence>>;
  [[nodiscard]] static Keys keysOfPreset(const QString& key);
  void save(ReviewCommand command);

  QSettings& settings_;
  Keys keys_;
};

}  // namespace dubito
