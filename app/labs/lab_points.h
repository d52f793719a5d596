// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTemporaryFile>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "core/base/options.h"
#include "widgets/point_plot.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QVBoxLayout;

namespace dubito {

class OptionsForm;

/// Chooses the points of a laboratory: presets, a CSV file, the clipboard, and points that are
/// drawn with the mouse; below them, the options of data and methods. Files are read in the
/// background. LabPointsOf knows the type of the points.
class LabPoints : public QWidget {
  Q_OBJECT
 public:
  /// What differs between laboratories.
  struct Texts {
    QString prefix;          ///< of the object names of the parts: "lab"
    QString edit_tip;        ///< how points are added
    QString clipboard_form;  ///< what the clipboard must have
  };
  /// `worker` must outlive this.
  LabPoints(WorkerThread& worker, const Texts& texts, QWidget* parent);
  ~LabPoints() override;

  /// Opens the chosen preset or file with `seed`.
  void open(std::uint64_t seed);
  /// Selects a preset or file by its specification and opens it.
  void choose(const QString& specification, std::uint64_t seed);
  /// Of the choice; what is chosen may still be read.
  [[nodiscard]] QString specification() const;
  [[nodiscard]] bool hasOwnPoints() const;
  /// Whether it is the specification of own points.
  [[nodiscard]] static bool isOwn(const QString& specification);
  [[nodiscard]] PointPlot::PointTool pointTool() const;
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }
  /// Shows the values of the options after they were changed elsewhere.
  void reloadOptions();

 Q_SIGNALS:
  /// Points were opened, those of LabPointsOf::data().
  void opened();
  void failed(const QString& message);
  /// An option that does not decide the points has changed.
  void optionsChanged();
  void pointToolChanged(dubito::PointPlot::PointTool tool);
  /// All points are to go, so that others can be drawn on an empty plane.
  void clearRequested();
  /// Own points were chosen from the list: the last ones are to be shown again.
  void ownPointsRequested();

 protected:
  /// Reads points in the background. `is_pasted`: they are in a file with the text of the
  /// clipboard.
  virtual void startReading(const std::string& specification, std::uint64_t seed,
                            bool is_pasted) = 0;
  [[nodiscard]] Job& job() { return job_; }
  /// Shows that a choice has points, with `notes` about them.
  void markOpened(const std::vector<std::string>& notes);
  void showFailure(const Error& error, bool is_pasted);

  /// Adds a preset after the others; the first one is chosen.
  void addSet(const QString& name, const QString& key, const QString& explanation = {});
  /// Adds the form of the options. Those of `of_points` decide the points of a preset.
  void addForm(const QString& name, std::vector<Field> fields, const QStringList& of_points);
  [[nodiscard]] OptionsForm& form() const { return *form_; }
  /// Shows that the points were drawn by hand; what is being read does not replace them.
  void markOwn(const std::vector<std::string>& notes);
  /// Adds a part above the notes.
  void addPart(QWidget* part);

 private:
  void addTools(const Texts& texts);
  void chooseEntry();
  void openFile();
  void paste();
  void select(const QString& specification);
  void showNotes(const std::vector<std::string>& notes);

  QString clipboard_form_;
  Job job_;
  std::unique_ptr<QTemporaryFile> pasted_;  ///< the text of the clipboard while it is read
  std::uint64_t seed_ = 0;
  QString last_;  ///< last choice that has points
  QComboBox* sets_;
  QButtonGroup* tools_;
  QLabel* notes_;
  QVBoxLayout* rows_;
  OptionsForm* form_ = nullptr;
};

/// LabPoints of a laboratory of methods, which `Kind` describes: RegressionKind,
/// ClassificationKind.
template <class Kind>
class LabPointsOf : public LabPoints {
 public:
  using Data = typename Kind::Data;
  using Options = typename Kind::Options;

  /// `options` are edited by the form; they and `worker` must outlive this.
  LabPointsOf(WorkerThread& worker, Options& options, const Texts& texts, QWidget* parent)
      : LabPoints(worker, texts, parent), options_(options) {}

  /// What was opened last.
  [[nodiscard]] const Data& data() const { return data_; }
  /// Shows that the points were drawn by hand.
  virtual void showOwnPoints(const Data& points) { markOwn(points.notes); }

 protected:
  [[nodiscard]] Options& options() const { return options_; }
  void startReading(const std::string& specification, std::uint64_t seed, bool is_pasted) override {
    job().restart<Data>(
        tr("Opening points"), {},
        [specification, options = options_, seed](RunContext& context) {
          return Kind::open(specification, options, seed, context);
        },
        this,
        [this, is_pasted](const Expected<Data>& points) {
          if (points) {
            take(*points, is_pasted);
          } else {
            showFailure(points.error(), is_pasted);
          }
        });
  }

 private:
  void take(const Data& points, bool is_pasted) {
    data_ = points;
    if (is_pasted) {
      data_.name = tr("clipboard").toStdString();
      markOwn(data_.notes);
    } else {
      markOpened(data_.notes);
    }
    Q_EMIT opened();
  }

  Options& options_;
  Data data_;
};

}  // namespace dubito
