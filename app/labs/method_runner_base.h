// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab_player.h"
#include "core/labs/methods/lab_method.h"

namespace dubito {

/// What runners of several methods have in common, whatever the kind of their methods; see
/// MethodRunner. GUI thread only.
class MethodRunnerBase : public LabPlayer {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  MethodRunnerBase(WorkerThread& worker, int threads, QObject* parent = nullptr);
  ~MethodRunnerBase() override;

  /// Adds or removes methods so that exactly `keys` are chosen; the others keep their state. Throws
  /// std::invalid_argument for an unknown key.
  virtual void setMethods(const std::vector<std::string>& keys) = 0;
  /// Keys of the chosen methods.
  [[nodiscard]] virtual std::vector<std::string> methodKeys() const = 0;
  /// A chosen method, to edit its options; then restart(index) applies them.
  [[nodiscard]] virtual LabMethod& method(std::size_t index) = 0;

  void pause() override;
  /// All methods start again.
  void restart() override;
  /// One method starts again, with the current values of its options.
  void restart(std::size_t index);
  /// Why no method can work on the data, as a sentence for the user; empty: they can.
  [[nodiscard]] const QString& dataError() const { return data_error_; }

 Q_SIGNALS:
  /// The methods are others.
  void methodsChanged();
  void dataChanged();
  /// Picture or error of method `index` changed.
  void pictureChanged(int index);

 protected:
  /// Makes a method start again, and abandons its running slice.
  virtual void drop(std::size_t index) = 0;
  /// The data are others; `checked`: whether methods can work on them. All start again.
  void replaceData(const Status& checked);

 private:
  QString data_error_;
};

}  // namespace dubito
