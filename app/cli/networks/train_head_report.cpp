// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/train_head_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/networks/drop_rates_text.h"

namespace dubito::cli {
namespace {

nlohmann::json toJson(const HeadQuality& quality) {
  return {{"loss", quality.loss}, {"accuracy", quality.accuracy}};
}

nlohmann::json toJson(const HeadEpoch& epoch) {
  nlohmann::json object{{"epoch", epoch.epoch}, {"train_loss", epoch.train_loss}};
  if (epoch.validation) {
    object["validation"] = toJson(*epoch.validation);
    object["validation"]["ece"] = epoch.reliability->ece;
  }
  if (!epoch.drop_rates.empty()) {
    object["drop_rates"] = dubito::toJson(epoch.drop_rates);
  }
  return object;
}

std::string lineOf(const char* part, const HeadQuality& quality, std::int64_t items) {
  return fmt::format("{:<10}  loss {:.4f}  accuracy {:6.2f} %  {} items\n", part, quality.loss,
                     100.0 * quality.accuracy, items);
}

}  // namespace

nlohmann::json headReportJson(const HeadReport& report, const std::string& output) {
  nlohmann::json object{{"output", output},
                        {"items", report.items},
                        {"validation_items", report.validation_items},
                        {"unlabelled", report.unlabelled},
                        {"unreadable", report.unreadable},
                        {"features", report.features},
                        {"features_from_cache", report.from_cache},
                        {"classes", report.classes},
                        {"added_classes", report.added_classes},
                        {"train", toJson(report.train)},
                        {"seconds",
                         {{"features", report.feature_seconds},
                          {"training", report.training_seconds},
                          {"saving", report.saving_seconds}}},
                        {"notes", report.notes}};
  if (report.epochs.empty()) {
    object["l2"] = report.l2;
    object["iterations"] = report.iterations;
    object["converged"] = report.converged;
  } else {
    object["best_epoch"] = report.best_epoch;
    for (const HeadEpoch& epoch : report.epochs) {
      object["epochs"].push_back(toJson(epoch));
    }
  }
  if (report.validation) {
    object["validation"] = toJson(*report.validation);
  }
  if (report.held_out) {
    object["held_out"] = {{"items", report.held_out->items}, {"right", report.held_out->right}};
  }
  return object;
}

std::string headEpochText(const HeadEpoch& epoch) {
  std::string text = fmt::format("epoch {:>3}  loss {:.4f}", epoch.epoch, epoch.train_loss);
  if (epoch.validation) {
    text += fmt::format("  validation loss {:.4f}  accuracy {:6.2f} %  ECE {:5.2f} %",
                        epoch.validation->loss, 100.0 * epoch.validation->accuracy,
                        100.0 * epoch.reliability->ece);
  }
  return text + dropRatesText(epoch.drop_rates) + "\n";
}

std::string headReportText(const HeadReport& report, const std::string& output) {
  std::string text = lineOf("training", report.train, report.items);
  if (report.validation) {
    text += lineOf("validation", *report.validation, report.validation_items);
  }
  if (report.held_out) {
    text +=
        fmt::format("held out    accuracy {:6.2f} %  {} items, each by a head trained without it\n",
                    100.0 * static_cast<double>(report.held_out->right) /
                        static_cast<double>(report.held_out->items),
                    report.held_out->items);
  }
  const std::int64_t read = report.items + report.validation_items;
  text += fmt::format(
      "{}: {} classes, {} features of {} items ({} from the cache), {}\n", output, report.classes,
      report.features, read, report.from_cache,
      report.epochs.empty()
          ? fmt::format("L2 penalty {:.2g}, {} iterations", report.l2, report.iterations)
          : fmt::format("epoch {} of {} kept", report.best_epoch, report.epochs.size()));
  text += fmt::format("features {:.1f} s, training {:.1f} s, saving {:.1f} s\n",
                      report.feature_seconds, report.training_seconds, report.saving_seconds);
  if (!report.added_classes.empty()) {
    text += fmt::format("new classes: {}\n", fmt::join(report.added_classes, ", "));
  }
  if (report.unlabelled + report.unreadable > 0) {
    text += fmt::format("skipped: {} items without a label, {} unreadable\n", report.unlabelled,
                        report.unreadable);
  }
  for (const std::string& note : report.notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

}  // namespace dubito::cli
