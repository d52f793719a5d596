// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

class QLabel;
class QListWidget;

namespace dubito {

class LabSetUp;
class MethodRunnerBase;
class OptionsForm;

/// What is shown of a method.
struct LabMethodText {
  const char* key;
  const char* name;
  const char* explanation;
  const char* formula;
};

/// The rows of a set-up that choose the methods of a runner: a list with check boxes, and below it
/// explanation, formula and options of the current one.
class LabMethodList : public QObject {
  Q_OBJECT
 public:
  /// `runner` must outlive this; this belongs to `set_up`. The rows are named `prefix` + "Methods",
  /// "Explanation" and "MethodOptions". `first`: keys of the methods that are chosen at first.
  LabMethodList(LabSetUp& set_up, MethodRunnerBase& runner, const QString& prefix,
                const std::vector<LabMethodText>& methods, std::span<const char* const> first);

  /// Lets the runner work on exactly the methods that are checked.
  void apply();
  /// Checks exactly the methods of the runner.
  void reload();
  /// The form with the options of the current method.
  [[nodiscard]] OptionsForm& form() const { return *options_; }
  /// Lets the current method start again with its options, if they are valid.
  void restartEdited();

 Q_SIGNALS:
  /// The form has the options of method `index` of the runner now; it may get controls of theirs
  /// (OptionsForm::addBelow).
  void optionsShown(std::size_t index);

 private:
  void addList(LabSetUp& set_up, const QString& name, std::span<const char* const> first);
  [[nodiscard]] std::string keyOf(int row) const;
  /// Index of the current method among those of the runner; nullopt: not chosen.
  [[nodiscard]] std::optional<std::size_t> currentIndex() const;
  void showCurrent();

  MethodRunnerBase& runner_;
  std::vector<LabMethodText> methods_;  ///< one per row
  QListWidget* list_;
  QLabel* explanation_;
  OptionsForm* options_;
};

/// The texts of `infos`, a list of LabMethodInfo.
template <class Info>
[[nodiscard]] std::vector<LabMethodText> methodTexts(const std::vector<Info>& infos) {
  std::vector<LabMethodText> texts;
  for (const Info& info : infos) {
    texts.push_back({info.key, info.name, info.explanation, info.formula});
  }
  return texts;
}

}  // namespace dubito
