// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/bandit/lab_bandit_values.h"

#include <algorithm>
#include <cmath>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

/// Bands of more agents would cover each other.
constexpr std::size_t kMaxBands = 5;

bool hasBands(const BanditPicture& picture) {
  return picture.seeds > 1 && picture.agents.size() <= kMaxBands;
}

/// "12.3 ± 0.4", or "12.3" for a single game.
QString withError(const MeanWithError& value) {
  return std::isfinite(value.standard_error) ? spreadText(value.mean, value.standard_error, 0)
                                             : shortText(value.mean);
}

/// Range of some coordinates, with a margin; never empty.
Interval rangeOf(const std::vector<PlanePull>& pulls, double PlanePull::*coordinate) {
  if (pulls.empty()) {
    return {-1.0, 1.0};
  }
  const auto [low, high] = std::ranges::minmax(pulls, {}, coordinate);
  const double width = high.*coordinate - low.*coordinate;
  const double margin = width > 0.0 ? 0.05 * width : 1.0;
  return {low.*coordinate - margin, high.*coordinate + margin};
}

QPointF pointOf(const WorldPoint& point) {
  return {point.x, point.y};
}

WorldPlotValue::Sight sightOf(Seen seen) {
  switch (seen) {
    case Seen::kWall:
      return WorldPlotValue::Sight::kWall;
    case Seen::kGood:
      return WorldPlotValue::Sight::kGood;
    case Seen::kBad:
      return WorldPlotValue::Sight::kBad;
    case Seen::kNothing:
      break;
  }
  return WorldPlotValue::Sight::kNothing;
}

}  // namespace

const std::vector<BanditProblemInfo>& banditProblems() {
  static const std::vector<BanditProblemInfo> problems{
      {"wheel", QT_TRANSLATE_NOOP("Labs", "Wheel"),
       QT_TRANSLATE_NOOP("Labs",
                         "Contexts in a disc, five arms. The safe arm pays 1.2 and all others 1, "
                         "but beyond the radius δ the arm of the quadrant pays 50.")},
      {"linear", QT_TRANSLATE_NOOP("Labs", "Linear"),
       QT_TRANSLATE_NOOP("Labs",
                         "The reward of every arm is a linear function of the context plus "
                         "noise.")},
      {"agent", QT_TRANSLATE_NOOP("Labs", "Small world"),
       QT_TRANSLATE_NOOP("Labs",
                         "A creature with nine eyes. Good food pays 5, bad food costs 6, facing "
                         "walls costs up to 1; it learns by Q-learning which way to go.")}};
  return problems;
}

QString tableExplanation() {
  return labText(
      "A table with a class per row: one arm per class, which pays 1 if it is the class of the "
      "row. "
      "The last column names the class.");
}

CurvePlotValue banditCurves(const BanditPicture& picture) {
  CurvePlotValue value = picture.is_world
                             ? linePlot(labText("step"), labText("reward per step"))
                             : linePlot(labText("round"), labText("cumulative regret"));
  value.interval_name = labText("± 2 standard errors:");
  constexpr int kHues = 4;
  for (std::size_t i = 0; i < picture.agents.size(); ++i) {
    const BanditAgentPicture& agent = picture.agents[i];
    StyledCurve styled{agent.curve, static_cast<int>(i) % kHues, static_cast<int>(i) / kHues};
    styled.short_name = QString::fromStdString(agent.short_name);
    if (hasBands(picture)) {
      styled.intervals = agent.band;
      styled.is_band = true;
    }
    value.curves.push_back(std::move(styled));
  }
  return value;
}

QString banditCaption(const BanditPicture& picture) {
  return captionOf({countedText(picture.seeds, labText("%1 game"), labText("%1 games")),
                    (picture.is_world ? labText("step %1 of %2") : labText("round %1 of %2"))
                        .arg(countText(picture.done), countText(picture.total)),
                    hasBands(picture) ? labText("band: mean ± 2 standard errors") : QString()});
}

PullPlotValue pullsOf(const BanditAgentPicture& agent, const BanditPicture& picture,
                      std::optional<double> delta) {
  PullPlotValue value;
  value.circle = delta;
  if (!delta) {
    value.x_range = rangeOf(agent.pulls, &PlanePull::x);
    value.y_range = rangeOf(agent.pulls, &PlanePull::y);
  }
  value.x_label = QString::fromStdString(picture.plane_names[0]);
  value.y_label = QString::fromStdString(picture.plane_names[1]);
  for (const std::string& name : picture.arm_names) {
    value.groups.push_back({QString::fromStdString(name), {}});
  }
  for (const PlanePull& pull : agent.pulls) {
    value.groups[static_cast<std::size_t>(pull.arm)].points.emplace_back(pull.x, pull.y);
  }
  return value;
}

QString pullsCaption(const BanditAgentPicture& agent) {
  return labText("arms pulled in the first game · the last %1 rounds")
      .arg(countText(static_cast<qint64>(agent.pulls.size())));
}

WorldPlotValue worldOf(const WorldPicture& world) {
  WorldPlotValue value;
  value.size = QSizeF(FoodWorld::kWidth, FoodWorld::kHeight);
  for (const WorldWall& wall : world.walls) {
    value.walls.emplace_back(pointOf(wall.from), pointOf(wall.to));
  }
  for (const FoodItem& item : world.items) {
    (item.is_good ? value.good : value.bad).push_back(pointOf(item.place));
  }
  value.item_radius = FoodWorld::kItemRadius;
  value.agent = pointOf(world.agent);
  value.agent_radius = FoodWorld::kAgentRadius;
  for (std::size_t eye = 0; eye < world.eyes.size(); ++eye) {
    value.eyes.push_back(
        {QLineF(value.agent, pointOf(world.eye_ends[eye])), sightOf(world.eyes[eye].seen)});
  }
  for (const WorldPoint& place : world.trail) {
    value.trail.push_back(pointOf(place));
  }
  return value;
}

QString worldCaption(const WorldPicture& world) {
  return captionOf({labText("● good: %1 eaten").arg(countText(world.eaten_good)),
                    labText("■ bad: %1 eaten").arg(countText(world.eaten_bad)),
                    world.random_share > 0.0
                        ? labText("%1 of the actions at random").arg(shareText(world.random_share))
                        : QString(),
                    labText("first game")});
}

std::vector<KeyValue> banditNumbers(const BanditPicture& picture) {
  std::vector<KeyValue> numbers;
  for (const BanditAgentPicture& agent : picture.agents) {
    const QString name = QString::fromStdString(agent.name);
    if (picture.is_world) {
      numbers.push_back(
          {name,
           withError(agent.reward),
           {},
           labText("Mean reward per step since the start; eaten in all games: %1 good, %2 "
                   "bad")
               .arg(countText(agent.eaten_good), countText(agent.eaten_bad))});
    } else {
      numbers.push_back(
          {name, withError(agent.normalised), QStringLiteral("%"),
           labText(
               "Cumulative regret %1; reward per round %2. Mean over games ± its standard error")
               .arg(withError(agent.regret), withError(agent.reward))});
    }
  }
  return numbers;
}

QString banditNumbersTitle(const BanditPicture& picture) {
  return picture.is_world ? labText("Reward per step")
                          : labText("Regret in % of that of random arms");
}

QString banditNotes(const BanditRunner& runner) {
  if (!runner.error().isEmpty()) {
    return runner.error();
  }
  if (!runner.picture()) {
    return {};
  }
  const BanditPicture& picture = *runner.picture();
  QStringList notes = toTexts(picture.notes);
  notes << (picture.is_world
                ? labText(
                      "Q-learning: Q(s, a) moves towards reward + 0.9 · max Q(s′, a′). MC dropout "
                      "draws a mask and takes the action that is best for it; ε-greedy begins with "
                      "random actions")
                : labText(
                      "Regret of a round = best expected reward − that of the arm pulled. Thompson "
                      "sampling draws a model from its posterior and pulls the arm that is best "
                      "for it"));
  return notes.join(QStringLiteral(". "));
}

}  // namespace dubito
