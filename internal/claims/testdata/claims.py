"""Counts of some claims, computed from the stored records with SciPy.

Run in the repository: /usr/bin/python3 internal/claims/testdata/claims.py > internal/claims/testdata/claims.csv
Columns: claim, cells, ours, shown, against.
"""
import csv, gzip, math, os, sys
from collections import defaultdict
import numpy as np
import scipy
from scipy import stats

ALPHA, MARGIN = 0.05, 0.02


def cells(study, **where):
    base = f"results/{study}/records.csv"
    lines = open(base) if os.path.exists(base) else gzip.open(base + ".gz", "rt")
    table = defaultdict(lambda: defaultdict(dict))
    for row in csv.DictReader(lines):
        if row["status"] == "ok" and all(row[k] == v for k, v in where.items()):
            table[row["cell"]][row["classifier"]][int(row["replicate"])] = row
    return table


def differences(cell, a, b, metric="error"):
    both = sorted(cell[a].keys() & cell[b].keys())
    return np.array([float(cell[a][r][metric]) - float(cell[b][r][metric]) for r in both]).round(12)


def signed_rank(d, side):
    d = d[d != 0]
    if len(d) == 0:
        return 1.0
    return stats.wilcoxon(d, alternative=side, correction=True, mode="approx").pvalue


def corrected_t(share):
    def test(d, side):
        se = math.sqrt(np.var(d, ddof=1) * (1 / len(d) + share))
        if se == 0:
            return 1.0  # equal differences: the statistic is undefined and shows nothing
        t = d.mean() / se
        return stats.t.cdf(t, len(d) - 1) if side == "less" else stats.t.sf(t, len(d) - 1)
    return test


def count(name, table, a, rivals, test, statistic, metric="error", by=0.0):
    table = {k: c for k, c in table.items() if all(i in c for i in [a] + rivals)}
    level = ALPHA / (len(table) * len(rivals))
    ours = shown = against = 0
    for c in table.values():
        d = [differences(c, a, r, metric) for r in rivals]
        lead = [round(-x.mean(), 12) for x in d]
        worst = min(test(x + by, "greater") for x in d)
        ours += {"lower": all(v > 0 and v >= by for v in lead), "as low": all(v >= 0 for v in lead),
                 "higher": all(v < 0 for v in lead), "on par": worst > ALPHA / len(rivals)}[statistic]
        if statistic == "higher":
            against += min(test(x, "less") for x in d) <= level
            shown += max(test(x, "greater") for x in d) <= level
        elif worst <= level:
            against += 1
        elif statistic == "lower":
            shown += all(test(x + by, "less") <= level for x in d)
        else:
            shown += all(test(x - MARGIN, "less") <= level for x in d)
    writer.writerow([name, len(table), ours, shown, against])


def same(name, table, a, rival, test):
    """Cells in which a test shows no difference, and in which two tests show that it is within the margin."""
    level = ALPHA / len(table)
    ours = shown = against = 0
    for c in table.values():
        d = differences(c, a, rival)
        smaller = min(test(d, "less"), test(d, "greater"))
        ours += smaller > ALPHA / 2
        if smaller <= level / 2:
            against += 1
        else:
            shown += max(test(d - MARGIN, "less"), test(d + MARGIN, "greater")) <= level
    writer.writerow([name, len(table), ours, shown, against])


def leads(name, table, a, rival, along, order, sign):
    """Leads of a over rival at the first and the last level of a factor, settings by the other factors."""
    settings = defaultdict(dict)
    for c in table.values():
        row = next(iter(c[a].values()))
        key = tuple(v for k, v in row.items() if k in FACTORS and k != along)
        d = differences(c, a, rival)
        settings[key][row[along]] = (abs(d.mean()), d.var(ddof=1) / len(d))
    ours = shown = against = 0
    for s in settings.values():
        change = sign * (s[order[-1]][0] - s[order[0]][0])
        z = change / math.sqrt(s[order[-1]][1] + s[order[0]][1])
        level = ALPHA / len(settings)
        ours += change > 0
        shown += stats.norm.sf(z) <= level
        against += stats.norm.cdf(z) <= level
    writer.writerow([name, len(settings), ours, shown, against])


FACTORS = ["reading", "cpd", "common_structure", "balance", "n", "variables"]
print(f"# Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}: claims.py")
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(["claim", "cells", "ours", "shown", "against"])
all_rivals = ["slb-", "lu", "tan", "nb", "rf", "svm", "5nn"]
calibrated = cells("jmlr2020-table2", reading="calibrated")
count("slb lowest, calibrated networks", calibrated, "slb", all_rivals, signed_rank, "lower")
count("slb below tan, calibrated networks", calibrated, "slb", ["tan"], signed_rank, "lower")
count("slb below slb-, literal networks", cells("jmlr2020-table2", reading="literal"), "slb", ["slb-"], signed_rank,
      "lower")
count("forestdens lowest, forests", cells("dorn2018-simulation"), "forestdens", ["5nn", "nb", "svm", "rf"], signed_rank,
      "lower")
count("nb highest, forests", cells("dorn2018-simulation"), "nb", ["forestdens", "5nn", "svm", "rf"], signed_rank,
      "higher")
count("slb on par, real data", cells("jmlr2020-table4"), "slb", ["lu", "tan", "nb", "rf", "svm", "5nn"],
      corrected_t(0.25), "on par", "ber")
count("dcc as low as mpm", cells("dcc2014-table1"), "dcc", ["mpm"], corrected_t(0.25), "as low")
count("cnc-gaussian 5 points below lingauss-tan", cells("cnc2012-figure2"), "cnc-gaussian", ["lingauss-tan"],
      corrected_t(0.25), "lower", by=0.05)
leads("slb and slb- come closer, calibrated networks", calibrated, "slb", "slb-", "n", ["200", "1000"], -1)
leads("slb and tan come closer, calibrated forests", cells("jmlr2020-table1", reading="calibrated"), "tan", "slb", "n",
      ["200", "1000"], -1)
same("slb with hsic or pearson, calibrated networks", cells("jmlr2020-table3", reading="calibrated"), "slb",
     "slb-pearson", signed_rank)
leads("dcc's lead over tan widens", cells("dcc2014-figure1"), "dcc", "tan", "variables", ["15", "45"], 1)
