// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "tests/app/shell/soak/soak.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/reliability_plot.h"

namespace dubito::test {

void Soak::addSelectionActions() {
  actions_["brush"] = [this](std::uint64_t choice) {
    const char* const names[] = {"confidenceHistogram", "entropyHistogram",
                                 "mutualInformationHistogram"};
    auto& plot = part<HistogramPlot>(names[choice % 3]);
    if (!plot.histograms().groups.empty()) {
      const std::vector<double>& edges = plot.histograms().groups.front().histogram.edges;
      const double width = edges.back() - edges.front();
      const double low = edges.front() + width * 0.7 * fraction(choice / 3);
      Q_EMIT plot.rangeDragged({low, low + 0.1 * width});
      Q_EMIT plot.rangeDragged({low, low + 0.2 * width});
      Q_EMIT plot.rangeSelected({low, low + 0.3 * width});
    }
  };
  actions_["reliability-bin"] = [this](std::uint64_t choice) {
    auto& plot = part<ReliabilityPlot>("reliabilityPlot");
    if (!plot.diagram().bins.empty()) {
      Q_EMIT plot.binSelected(static_cast<int>(choice % plot.diagram().bins.size()));
    }
  };
  actions_["reliability-options"] = [this](std::uint64_t choice) {
    ReliabilityOptions options;
    options.bins = 5 + static_cast<std::int64_t>(choice % 40);
    options.equal_mass = choice / 40 % 2 == 0;
    options.with_ood = choice / 80 % 2 == 0;
    if (choice / 160 % 2 == 0) {
      options.of_class = static_cast<std::int64_t>(choice / 320 % 12);
    }
    session().plots().setReliabilityOptions(options);
  };
  actions_["curve-point"] = [this](std::uint64_t choice) {
    auto& plot = part<CurvePlot>(choice % 2 == 0 ? "rocPlot" : "precisionRecallPlot");
    const std::vector<StyledCurve>& curves = plot.curves().curves;
    if (curves.empty()) {
      actions_.at("brush")(choice);
      return;
    }
    const std::size_t curve = choice / 2 % curves.size();
    const std::size_t points = curves[curve].curve.x.size();
    Q_EMIT plot.pointSelected(static_cast<int>(curve), static_cast<int>(choice / 16 % points));
  };
  actions_["confusion-cell"] = [this](std::uint64_t choice) {
    Q_EMIT part<ConfusionMatrix>("confusionMatrix")
        .cellChosen(static_cast<int>(choice % 3), static_cast<int>(choice / 3 % 3));
  };
  actions_["sort-and-filter"] = [this](std::uint64_t choice) {
    const AnalysisPtr analysis = session().activeAnalysis();
    ItemQuery query = session().listing().query();
    query.group = static_cast<GroupFilter>(choice % 4);
    query.descending = choice / 4 % 2 == 0;
    const Measure measure =
        allMeasures()[static_cast<std::size_t>(choice / 8) % allMeasures().size()];
    if (analysis && analysis->in().has(measure)) {
      query.sort = measure;
    }
    session().listing().setQuery(query);
  };
  actions_["walk"] = [this](std::uint64_t choice) {
    constexpr std::array kKeys = {Qt::Key_Left, Qt::Key_Right, Qt::Key_A, Qt::Key_D};
    for (std::uint64_t i = 0; i < 1 + choice / 4 % 3; ++i) {
      QTest::keyClick(window_.get(), kKeys[choice % 4]);
    }
  };
  actions_["clear"] = [this](std::uint64_t choice) {
    actions_.at("brush")(choice);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
  };
  actions_["undo"] = [this](std::uint64_t choice) {
    if (!session().listing().canUndo()) {
      actions_.at("brush")(choice);
    }
    session().listing().undo();
  };
  actions_["redo"] = [this](std::uint64_t choice) {
    if (!session().listing().canRedo()) {
      actions_.at("reliability-bin")(choice);
      session().listing().undo();
    }
    session().listing().redo();
  };
  actions_["threshold"] = [this](std::uint64_t choice) {
    auto& plot = part<HistogramPlot>(choice % 2 == 0 ? "confidenceHistogram" : "entropyHistogram");
    for (int i = 0; i < 3; ++i) {
      Q_EMIT plot.thresholdMoved(fraction(choice / 2 + static_cast<std::uint64_t>(i)));
    }
    Q_EMIT plot.thresholdReleased(fraction(choice / 2 + 2));
  };
  actions_["hide-group"] = [this](std::uint64_t choice) {
    const auto group = static_cast<ItemGroup>(choice % 4);
    session().plots().setGroupVisible(group, !session().plots().groupVisible(group));
  };
}

}  // namespace dubito::test
