# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes gp_reference.json: Gaussian processes by scikit-learn.

Needs numpy and scikit-learn. Usage: make_gp_reference.py > gp_reference.json
"""

import json

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

NOISE_VARIANCE = 0.09

KERNELS = {
    "1.7*se(0.6)": sk.ConstantKernel(1.7) * sk.RBF(0.6),
    "0.4*matern12(1.3)": sk.ConstantKernel(0.4) * sk.Matern(1.3, nu=0.5),
    "matern32(0.7)": sk.Matern(0.7, nu=1.5),
    "1.2*matern52(1.1)": sk.ConstantKernel(1.2) * sk.Matern(1.1, nu=2.5),
    "0.9*rq(1.4, 0.5)": sk.ConstantKernel(0.9) * sk.RationalQuadratic(length_scale=0.5, alpha=1.4),
    "1.1*periodic(1.2, 1.9)": sk.ConstantKernel(1.1) * sk.ExpSineSquared(1.2, 1.9),
    "0.6*linear(0.8) + 0.3": sk.ConstantKernel(0.6) * sk.DotProduct(0.8) + sk.ConstantKernel(0.3),
    "1.5*se(0.8) + linear(0.5)*periodic(0.9, 2.5)": sk.ConstantKernel(1.5) * sk.RBF(0.8)
    + sk.DotProduct(0.5) * sk.ExpSineSquared(0.9, 2.5),
    "(se(2) + 0.2)*(matern32(0.9) + linear(1.5))": (sk.RBF(2.0) + sk.ConstantKernel(0.2))
    * (sk.Matern(0.9, nu=1.5) + sk.DotProduct(1.5)),
}


def main():
    # Formulas in place of random numbers, so that the points do not depend on a library.
    index = np.arange(14)
    x = 2.4 * np.cos(1.7 * index + 0.3)
    y = np.sin(1.6 * x) + 0.3 * np.cos(5.1 * index)
    x_test = np.linspace(-3.5, 3.5, 9)
    result = {
        "note": "scikit-learn's GaussianProcessRegressor with alpha=0 and a WhiteKernel; covariance "
        "of f without the noise; gradient with respect to the log parameters, the last of which is "
        "the noise variance; optimum: the largest evidence of 8 starts",
        "x": x.tolist(),
        "y": y.tolist(),
        "x_test": x_test.tolist(),
        "noise_variance": NOISE_VARIANCE,
        "kernels": {},
    }
    for text, kernel in KERNELS.items():
        full = kernel + sk.WhiteKernel(NOISE_VARIANCE)
        gp = GaussianProcessRegressor(full, alpha=0.0, optimizer=None).fit(x[:, None], y)
        mean, covariance = gp.predict(x_test[:, None], return_cov=True)
        evidence, gradient = gp.log_marginal_likelihood(full.theta, eval_gradient=True)
        result["kernels"][text] = {
            "log_parameters": full.theta.tolist(),
            "log_marginal_likelihood": evidence,
            "gradient_log_parameters": gradient.tolist(),
            "mean": mean.tolist(),
            "covariance": (covariance - NOISE_VARIANCE * np.eye(len(x_test))).tolist(),
        }
    fitted = GaussianProcessRegressor(
        sk.ConstantKernel(1.0) * sk.RBF(1.0) + sk.WhiteKernel(0.09),
        alpha=0.0,
        n_restarts_optimizer=8,
        random_state=0,
    ).fit(x[:, None], y)
    result["optimum"] = {
        "log_parameters": fitted.kernel_.theta.tolist(),
        "log_marginal_likelihood": fitted.log_marginal_likelihood_value_,
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
