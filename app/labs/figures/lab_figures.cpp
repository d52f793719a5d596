// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/figures/lab_figures.h"

#include <QFile>
#include <QtGlobal>

// Must be called outside any namespace; without it the linker drops the resources of a static
// library.
static void loadFigures() {
  Q_INIT_RESOURCE(figures);
}

namespace dubito {

const std::vector<LabFigure>& labFigures() {
  static const std::vector<LabFigure> all{
      {"chan-2-3", QT_TRANSLATE_NOOP("Labs", "Chan 2019, figure 2.3: random-walk Metropolis"),
       QT_TRANSLATE_NOOP("Labs",
                         "A random-walk Metropolis chain on a Gaussian with correlation. Turn the "
                         "step size: with "
                         "small steps the chain creeps, with large ones it stands still.")},
      {"chan-2-4",
       QT_TRANSLATE_NOOP("Labs", "Chan 2019, figure 2.4 d: draws from a Gaussian process"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "Six draws from a Gaussian process with a squared exponential kernel, after a few "
           "points: "
           "they agree at the points and go their own ways between them. Change the number in se() "
           "to see rough and smooth functions.")},
      {"chan-4-1", QT_TRANSLATE_NOOP("Labs", "Chan 2019, figure 4.1: five ways to uncertainty"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "One network with 128 tanh units, five ways to its uncertainty. Hamiltonian Monte Carlo "
           "is the reference. As in the report the other methods spread more than it; their order "
           "differs, because the report tuned each by hand.")},
      {"chan-4-3", QT_TRANSLATE_NOOP("Labs", "Chan 2019, figure 4.3: coordinate ascent"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "Coordinate ascent: p follows the error of the mean network, not the ELBO. As in the "
           "report it runs to 0 or to 1, wherever it starts.")},
      {"chan-4-4", QT_TRANSLATE_NOOP("Labs", "Chan 2019, figures 4.4 and 4.5: the score function"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "The score function from nine starts, over the ELBO at fixed p. As in the report some "
           "runs end inside and some are trapped at 0 or 1. The report finds its maximum at 0.37; "
           "with this ELBO it is near 0.5, and no maximum below 0.5 is possible.")},
      {"chan-4-6",
       QT_TRANSLATE_NOOP("Labs", "Chan 2019, figure 4.6: the score function, p kept inside"),
       QT_TRANSLATE_NOOP("Labs",
                         "The same with p kept in [0.05, 0.95]: as in the report, no run is "
                         "trapped any more.")},
      {"gal-co2", QT_TRANSLATE_NOOP("Labs", "Gal and Ghahramani 2016, figure 2: CO2, ReLU units"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "CO2 at Mauna Loa, and what methods say about the years after it. A single ReLU network "
           "is certain of its straight line; with dropout the uncertainty grows with the distance. "
           "The Gaussian process bends back towards its mean, with bounded uncertainty.")},
      {"gal-co2-tanh",
       QT_TRANSLATE_NOOP("Labs", "Gal and Ghahramani 2016, figure 2 d: CO2, tanh units"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "The same with tanh units: they saturate far from the data, so the uncertainty of MC "
           "dropout stays bounded there instead of growing.")},
      {"gal-rotated",
       QT_TRANSLATE_NOOP("Labs", "Gal and Ghahramani 2016, figure 4: a rotated digit"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "A 1 that is turned: softmax inputs and outputs of 100 passes with dropout. In between, "
           "the outputs cover the whole range although the largest one is often high: the mean "
           "alone hides that the network does not know.")},
      {"hobbhahn-2-1", QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 2.1: a Beta distribution"),
       QT_TRANSLATE_NOOP("Labs",
                         "A Beta distribution and its Gaussian: in the probability it has no good "
                         "Gaussian, in the "
                         "logit it nearly is one. The Laplace Bridge uses that.")},
      {"hobbhahn-1-1-wide", QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 1.1, α = (2, 2, 6)"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "The softmax of a Gaussian, exactly and by the Laplace Bridge. Open the next figure: "
           "nearly the same mean, far less uncertainty; a single probability cannot tell them "
           "apart.")},
      {"hobbhahn-1-1-narrow",
       QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 1.1, α = (11, 11, 51)"),
       QT_TRANSLATE_NOOP("Labs",
                         "Nearly the mean of the figure before, with far less uncertainty: the "
                         "bridge keeps both.")},
      {"hobbhahn-5-3",
       QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 5.3: what a bridge is worth"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "How many samples of softmax(z) are as good as the Laplace Bridge. The thesis finds 750 "
           "to 10 000, depending on the Gaussian and on the width of the bins.")},
      {"hobbhahn-5-4",
       QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 5.4: entropy over the plane"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "Entropy over the plane of four blobs. One network is sure of all but the borders; a "
           "Laplace approximation is less sure everywhere. The diagonal one drops the correlations "
           "of the weights and is too unsure even at the points; Kronecker and full are "
           "alike there on average, not everywhere: the product of two averages is surer in places "
           "where the full covariance is not.")},
      {"hobbhahn-5-4-far", QT_TRANSLATE_NOOP("Labs", "Hobbhahn 2020, figure 5.4, far away"),
       QT_TRANSLATE_NOOP(
           "Labs",
           "The same ten times as far away: a ReLU network is certain of a class wherever there is "
           "nothing, a Laplace approximation of its last layer is limited, and a Gaussian process "
           "gives up.")}};
  return all;
}

Expected<LabPreset> presetOf(const LabFigure& figure) {
  loadFigures();
  const QString name = QStringLiteral(":/dubito/figures/%1.json").arg(QLatin1String(figure.key));
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::kNotFound,
                name.toStdString() + ": is missing in the program; install it again");
  }
  return parseLabPreset(file.readAll().toStdString(), name.toStdString());
}

}  // namespace dubito
