// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito {

class Kernel;
class OptionsForm;
class ValueSlider;

/// One logarithmic slider per parameter of a kernel, below its text in a form: from a 30th to 30
/// times the value in the text. The text decides: it makes the sliders, and an invalid one removes
/// them. A slider rewrites its number in the text, and switches the fit of the kernel off, which
/// would choose other values.
class LabKernelSliders : public QWidget {
  Q_OBJECT
 public:
  /// The sliders for the options of a method, of which `form` shows the fields "kernel" and
  /// "optimise"; they live as long as the form shows them. nullptr if there are no such fields.
  [[nodiscard]] static LabKernelSliders* ofFields(const std::vector<Field>& fields,
                                                  OptionsForm& form);

 Q_SIGNALS:
  /// A slider has rewritten the text.
  void kernelChanged();

 private:
  LabKernelSliders(std::string& kernel, bool& optimise, OptionsForm& form);
  /// Shows the parameters of the text.
  void showText();
  void makeSliders(const Kernel& kernel);
  /// Writes `value` as parameter `index` into the text.
  void rewrite(std::size_t index, double value);

  std::string& kernel_;
  bool& optimise_;
  OptionsForm& form_;
  std::vector<std::string> keys_;  ///< of the parameters, one per slider
  std::vector<ValueSlider*> sliders_;
};

}  // namespace dubito
