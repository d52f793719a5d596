// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/reopen_offer.h"

#include <QAction>
#include <QStringList>

#include "app/session/session.h"
#include "app/shell/error_banner.h"
#include "app/shell/window_commands.h"

namespace dubito {

void offerReopening(Session& session, WindowCommands& commands, ErrorBanner& banner) {
  QObject::connect(&commands, &WindowCommands::reopenRequested, &session, &Session::reopenClosed);
  QObject::connect(&session, &Session::workspaceChanged, &commands, [&session, &commands] {
    commands.reopen().setEnabled(session.canReopenClosed());
  });
  QObject::connect(
      &session, &Session::unsavedRunsClosed, &commands, [&commands, &banner](const auto& runs) {
        QStringList names;
        for (const AnalysisPtr& run : runs) {
          names << QString::fromStdString(run->name);
        }
        banner.show(WindowCommands::tr("Closed without saving: %1. Press %2 to reopen.")
                        .arg(names.join(QStringLiteral(", ")),
                             commands.reopen().shortcut().toString(QKeySequence::NativeText)),
                    false);
      });
}

}  // namespace dubito
