// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/study/study_list.h"
#include "core/train/head/head_options.h"
#include "core/train/train.h"

class QComboBox;

namespace dubito {

class OptionsForm;
class Session;

/// The networks of a study: trained, with a new head, or from a file.
class StudyNetworks : public StudyList {
  Q_OBJECT
 public:
  StudyNetworks(const StudyDraft& draft, const Session& session, QWidget* parent);
  ~StudyNetworks() override;

 protected:
  [[nodiscard]] QString summaryOf(const StudyJson& member) const override;
  [[nodiscard]] StudyJson freshMember() const override;
  void showMember() override;

 private:
  void chooseHow(const std::string& how);
  void storeForm();
  [[nodiscard]] std::vector<Field> formFields();
  [[nodiscard]] std::vector<Field> defaultFields();

  TrainOptions train_, usual_train_;
  HeadOptions head_, usual_head_;
  QComboBox* how_;
  StudyFields* backbone_;
  StudyFields* model_;
  OptionsForm* form_;
  std::string shown_how_;  ///< of which form_ has the fields; empty: none
};

}  // namespace dubito
