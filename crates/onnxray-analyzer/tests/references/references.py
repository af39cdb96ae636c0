"""Writes references.json: what SciPy and statsmodels say, for tests of the statistics.

    python3 -m venv venv
    venv/bin/pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python references.py > references.json
"""

import json
import platform
from itertools import product

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.tsa.stattools import acf

random = np.random.default_rng(20260101)


def numbers(values):
    """No more digits than the file needs; enough that none are tied by chance."""
    return [round(float(value), 7) for value in values]


def sample(count, location=0.0, steps=None):
    """Normal values, or whole numbers of which few differ, so that there are ties."""
    values = random.normal(location, 1.0, count)
    return numbers(values if steps is None else np.floor((values + 3) * steps))


def benjamini_hochberg():
    for n in [1, 2, 5, 20, 50]:
        p = numbers(random.uniform(size=n) ** 3)
        yield {"p": p, "adjusted": list(multipletests(p, method="fdr_bh")[1])}


def benjamini_hochberg_weighted():
    for n in [1, 2, 5, 20, 50]:
        p = numbers(random.uniform(size=n) ** 3)
        w = numbers(random.uniform(0.1, 5, size=n))
        weighted = np.minimum(np.array(p) / (np.array(w) / np.mean(w)), 1.0)
        adjusted = multipletests(weighted, method="fdr_bh")[1]
        yield {"p": p, "w": w, "adjusted": list(adjusted)}


def spearman_exact():
    for n, steps in product([3, 4, 5, 6, 7, 8], [None, 1]):
        values = sample(n, 0.0, steps)
        if len(set(values)) == 1:
            values[0] += 1
        positions = np.arange(n)
        rho = stats.spearmanr(positions, values).statistic
        result = stats.permutation_test(
            (np.array(values),), lambda x: abs(stats.spearmanr(positions, x).statistic),
            permutation_type="pairings", n_resamples=np.inf, alternative="greater")
        yield {"values": values, "rho": rho, "p": result.pvalue}


def spearman_approximate():
    for n, steps, slope in product([9, 12, 30, 200], [None, 1], [0.0, 0.1]):
        values = sample(n, 0.0, steps)
        values = numbers(np.array(values) + slope * np.arange(n))
        result = stats.spearmanr(np.arange(n), values)
        yield {"values": values, "rho": result.statistic, "p": result.pvalue}


def autocorrelation():
    for n in [3, 10, 50]:
        values = numbers(np.cumsum(random.normal(size=n)))
        yield {"values": values, "r": acf(values, nlags=1)[1]}


def outliers():
    for n in [4, 5, 6, 7, 50, 200]:
        values = numbers(random.standard_cauchy(size=n))
        lower, upper = np.percentile(values, [25, 75])
        reach = 3 * (upper - lower)
        beyond = [x for x in values if x < lower - reach or x > upper + reach]
        yield {"values": values, "count": len(beyond)}


def student_quantile():
    confidences = [0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999999]
    degrees = [1, 1.3, 2, 2.5, 3, 4, 5.75, 9, 10, 18, 29.5, 100, 1234.5, 1e5, 1e6]
    for confidence, degree in product(confidences, degrees):
        # The upper tail keeps more digits than 1 minus it.
        t = stats.t.isf((1 - confidence) / 2, degree)
        yield {"confidence": confidence, "degrees": degree, "t": t}


def student_tail():
    for t, degrees in product([0, 0.001, 0.5, 1, 2, 5, 40], [1, 1.3, 2.5, 7, 30, 1000]):
        yield {"t": t, "degrees": degrees, "p": 2 * stats.t.sf(t, degrees)}


def normal_upper_tail():
    for z in [-5, -1, -0.3, 0, 0.1, 1, 1.96, 2.7, 2.9, 3.5, 5, 8, 12, 30]:
        yield {"z": z, "p": stats.norm.sf(z)}


def welch_interval():
    for n, m, confidence in [(2, 2, 0.95), (3, 3, 0.95), (3, 10, 0.95), (10, 10, 0.9), (40, 5, 0.99)]:
        a, b = numbers(random.normal(20, 1, n)), numbers(random.normal(22, 3, m))
        interval = stats.ttest_ind(b, a, equal_var=False).confidence_interval(confidence)
        yield {"a": a, "b": b, "confidence": confidence, "low": interval.low, "high": interval.high}


def paired_interval():
    for n, confidence in [(2, 0.95), (3, 0.95), (10, 0.9), (40, 0.99)]:
        a, b = numbers(random.normal(20, 1, n)), numbers(random.normal(22, 3, n))
        interval = stats.ttest_rel(b, a).confidence_interval(confidence)
        yield {"a": a, "b": b, "confidence": confidence, "low": interval.low, "high": interval.high}


def wilson():
    for hits, trials in [(0, 1), (1, 1), (0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (999, 1000)]:
        low, high = proportion_confint(hits, trials, alpha=0.05, method="wilson")
        yield {"hits": hits, "trials": trials, "low": low, "high": high}


FUNCTIONS = [
    benjamini_hochberg, benjamini_hochberg_weighted, spearman_exact, spearman_approximate,
    autocorrelation, outliers, student_quantile, student_tail, normal_upper_tail, welch_interval,
    paired_interval, wilson,
]

versions = {
    "python": platform.python_version(),
    "numpy": np.__version__,
    "scipy": scipy.__version__,
    "statsmodels": statsmodels.__version__,
}


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value)


print('{"versions": ' + json.dumps(versions) + ',\n"cases": {')
for function in FUNCTIONS:
    cases = [{key: plain(value) for key, value in case.items()} for case in function()]
    lines = ",\n".join(json.dumps(case, allow_nan=False) for case in cases)
    end = "" if function is FUNCTIONS[-1] else ","
    print(f'"{function.__name__}": [\n{lines}\n]{end}')
print("}}")
