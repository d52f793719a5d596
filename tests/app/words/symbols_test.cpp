// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/symbols.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

std::string shown(const char* formula) {
  return inSymbols(QString::fromUtf8(formula)).toStdString();
}

TEST(Symbols, AFormulaReadsAsInABook) {
  EXPECT_EQ(shown("S' = (Phi^T Phi / s^2 + I / p^2)^-1"), "S' = (Φᵀ Φ / s² + I / p²)⁻¹");
  EXPECT_EQ(shown("q <- q + eps_t/2 (grad ln p(q) + N/n sum grad ln p(y_i | q))"),
            "q ← q + ε_t/2 (∇ ln p(q) + N/n Σ ∇ ln p(y_i | q))");
  EXPECT_EQ(shown("w = mu + ln(1 + e^rho) z"), "w = μ + ln(1 + exp(ρ)) z");
  EXPECT_EQ(shown("H = J^T J / sigma^2 + tau I"), "H = Jᵀ J / σ² + τ I");
  EXPECT_EQ(shown("dL/dmu = mean gradient"), "dL/dμ = mean gradient");
  EXPECT_EQ(shown("H(q) = -ln p(q)"), "H(q) = −ln p(q)");
}

}  // namespace
}  // namespace dubito
