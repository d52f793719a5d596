// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/error_banner.h"
#include "app/shell/file_drop.h"
#include "tests/app/shell/soak/soak.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

void Soak::open(const std::string& specification, bool ood) {
  window_->fileDrop().open({QString::fromStdString(specification)}, ood);
}

void Soak::keepAtMost(std::size_t max_count) {
  while (session().analyses().size() > max_count) {
    session().removeAnalysis(0);
  }
  while (session().datasets().size() > max_count) {
    session().removeDataset(0);
  }
  while (session().models().size() > max_count) {
    session().removeModel(0);
  }
}

ComputeSettings Soak::quickSettings(std::uint64_t choice) {
  ComputeSettings settings;
  if (choice % 2 == 0) {
    settings.method = MapOptions{};
  } else {
    McDropoutOptions dropout;
    dropout.draws = 2;
    settings.method = dropout;
  }
  settings.seed = choice % 100;
  return settings;
}

void Soak::addFileActions() {
  const std::string samples = (sourceDir() / "datasets/samples").string();
  const auto images = [samples](const std::string& name, std::uint64_t first) {
    return "idx:" + samples + "/" + name + "-images-idx3-ubyte.gz," + samples + "/" + name +
           "-labels-idx1-ubyte.gz?items=" + std::to_string(first) + ":" +
           std::to_string(first + 12);
  };
  actions_["open-network"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    open((sourceDir() / "tests/data/models" / (choice % 2 == 0 ? "scripted.pt" : "traced_train.pt"))
             .string());
  };
  actions_["open-images"] = [this, images](std::uint64_t choice) {
    keepAtMost(3);
    open(images("mnist-2000", choice % 900));
  };
  actions_["open-strangers"] = [this, images](std::uint64_t choice) {
    keepAtMost(3);
    open(images("kmnist-1000", choice % 900), true);
  };
  actions_["open-run"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    open((files_.path() / ("run" + std::to_string(choice % 3) + ".npz")).string());
  };
  actions_["open-nonsense"] = [this](std::uint64_t choice) {
    open(files_.file("missing" + std::to_string(choice % 10) + ".npz"));
    settle();
    auto& banner = part<ErrorBanner>("errorBanner");
    if (banner.messages().isEmpty()) {
      qFatal("a missing file was not reported");
    }
    banner.dismiss();
  };
  actions_["compute"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    if (window_->workbench().computer().canCompute() &&
        !window_->workbench().computer().queue().running()) {
      window_->workbench().computer().compute(quickSettings(choice));
    }
  };
  actions_["compute-and-cancel"] = [this](std::uint64_t choice) {
    keepAtMost(3);
    if (window_->workbench().computer().canCompute() &&
        !window_->workbench().computer().queue().running()) {
      ComputeSettings settings = quickSettings(1);
      std::get<McDropoutOptions>(settings.method).draws = 500;
      settings.seed = choice % 100;
      window_->workbench().computer().compute(settings);
      window_->workbench().jobs().cancel();
    }
  };
  actions_["switch-run"] = [this](std::uint64_t choice) {
    const std::size_t runs = session().analyses().size();
    if (runs > 1) {
      const auto step = 1 + choice % (runs - 1);
      session().setActiveAnalysis(static_cast<int>(
          (static_cast<std::size_t>(session().activeAnalysisPosition()) + step) % runs));
    } else {
      actions_.at("open-run")(choice);
    }
  };
  actions_["close-run"] = [this](std::uint64_t choice) {
    const std::size_t runs = session().analyses().size();
    if (runs > 1) {
      session().removeAnalysis(choice % runs);
    } else {
      actions_.at("open-run")(choice);
    }
  };
}

}  // namespace dubito::test
