// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/reopen_offer.h"

#include <QAction>
#include <QStringList>
#include <memory>
#include <utility>

#include "app/session/session.h"
#include "app/shell/error_banner.h"
#include "app/shell/window_commands.h"

namespace dubito {

void offerReopening(Session& session, WindowCommands& commands, ErrorBanner& banner) {
  QObject::connect(&commands, &WindowCommands::reopenRequested, &session, &Session::reopenClosed);
  QObject::connect(&session, &Session::workspaceChanged, &commands, [&session, &commands] {
    commands.reopen().setEnabled(session.canReopenClosed());
  });
  const auto shown = std::make_shared<QString>();
  QObject::connect(&session, &Session::workspaceChanged, &banner, [&session, &banner, shown] {
    if (!session.canReopenClosed() && !shown->isEmpty()) {
      banner.withdraw(std::exchange(*shown, {}));
    }
  });
  QObject::connect(&session, &Session::unsavedRunsClosed, &commands,
                   [&commands, &banner, shown](const auto& runs) {
                     banner.withdraw(*shown);  // only the runs that were closed last come back
                     QStringList names;
                     for (const AnalysisPtr& run : runs) {
                       names << QString::fromStdString(run->name);
                     }
                     *shown =
                         WindowCommands::tr("Closed without saving: %1. Press %2 to reopen.")
                             .arg(names.join(QStringLiteral(", ")),
                                  commands.reopen().shortcut().toString(QKeySequence::NativeText));
                     banner.show(*shown, false);
                   });
}

}  // namespace dubito
