// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryFile>
#include <QWidget>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/job.h"
#include "widgets/point_plot.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QVBoxLayout;

namespace dubito {

/// Chooses the points of a laboratory: presets, a CSV file, the clipboard, and points that are
/// drawn with the mouse. Files are read in the background. A subclass knows the type of the points.
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

 Q_SIGNALS:
  void failed(const QString& message);
  void pointToolChanged(dubito::PointPlot::PointTool tool);
  /// All points are to go, so that others can be drawn on an empty plane.
  void clearRequested();
  /// Own points were chosen from the list: the last ones are to be shown again.
  void ownPointsRequested();

 protected:
  /// Reads points with read(). `is_pasted`: they are in a file with the text of the clipboard.
  virtual void startReading(const std::string& specification, std::uint64_t seed,
                            bool is_pasted) = 0;

  /// Reads in the background with `work`; `deliver` takes the points over, unless points are drawn
  /// or others chosen first. `is_pasted` is that of startReading().
  template <class Data>
  void read(bool is_pasted, std::function<Expected<Data>(RunContext&)> work,
            std::function<void(const Data&)> deliver) {
    job_.restart<Data>(tr("Opening points"), {}, std::move(work), this,
                       [this, is_pasted, deliver](const Expected<Data>& points) {
                         if (!points) {
                           showFailure(points.error(), is_pasted);
                         } else if (is_pasted) {
                           Data named = *points;
                           named.name = tr("clipboard").toStdString();
                           markOwn(named.notes);
                           deliver(named);
                         } else {
                           last_ = specification();
                           showNotes(points->notes);
                           deliver(*points);
                         }
                       });
  }
  /// Adds a preset after the others; the first one is chosen.
  void addSet(const QString& name, const QString& key, const QString& explanation = {});
  /// Shows that the points were drawn by hand; what is being read does not replace them.
  void markOwn(const std::vector<std::string>& notes);
  /// Adds a part above the notes or, `below`, under them.
  void addPart(QWidget* part, bool below);
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  void addTools(const Texts& texts);
  void chooseEntry();
  void openFile();
  void paste();
  void select(const QString& specification);
  void showNotes(const std::vector<std::string>& notes);
  void showFailure(const Error& error, bool is_pasted);

  QString clipboard_form_;
  Job job_;
  std::unique_ptr<QTemporaryFile> pasted_;  ///< the text of the clipboard while it is read
  std::uint64_t seed_ = 0;
  QString last_;  ///< last choice that has points
  QComboBox* sets_;
  QButtonGroup* tools_;
  QLabel* notes_;
  QVBoxLayout* rows_;
};

}  // namespace dubito
