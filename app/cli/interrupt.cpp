// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <csignal>

namespace dubito::cli {
namespace {

// A signal handler can reach only globals; the flag behind it is lock-free.
std::shared_ptr<RunControl>& controlOfProcess() {
  static std::shared_ptr<RunControl> control = std::make_shared<RunControl>();
  return control;
}
RunControl* control_for_handler = nullptr;

void onSignal(int signal) {
  control_for_handler->requestCancel();
  std::signal(signal, SIG_DFL);
}

void onStopEarly(int) {
  control_for_handler->requestStopEarly();
}

}  // namespace

std::shared_ptr<RunControl> interruptibleControl() {
  control_for_handler = controlOfProcess().get();
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  std::signal(SIGUSR1, onStopEarly);
  // Exceeding a file size limit then fails the write with an error instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  return controlOfProcess();
}

}  // namespace dubito::cli
