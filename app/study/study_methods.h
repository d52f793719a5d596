// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/study/study_list.h"
#include "core/methods/method_options.h"

namespace dubito {

class OptionsForm;

/// The methods of a study and their options.
class StudyMethods : public StudyList {
  Q_OBJECT
 public:
  StudyMethods(const StudyDraft& draft, QWidget* parent);
  ~StudyMethods() override;

 protected:
  [[nodiscard]] QString summaryOf(const StudyJson& member) const override;
  [[nodiscard]] StudyJson freshMember() const override;
  void showMember() override;

 private:
  void storeForm();
  /// Options that the method does not have are dropped.
  void chooseMethod(const StudyJson& method);

  MethodOptions shown_, usual_;
  OptionsForm* form_;
  bool has_fields_ = false;  ///< form_ has the fields of shown_
};

}  // namespace dubito
