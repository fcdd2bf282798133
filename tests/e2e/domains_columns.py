"""Each member and column of pwrtrace report --domains, of domains_trace.py with a limit: domains_columns.py
JSON CSV."""

from columns import check, head, near
from domains_trace import IDLE_W, KERNELS, MS, stretches

LIMIT_W = 700
SHAPE = "64 /64"
LARGEST_W = {domain: max(kernel[domain] for kernel in KERNELS.values()) for domain in IDLE_W}

RAN = list(stretches())
END_NS = RAN[-1][1]
UNTIL_NS = END_NS // (20 * MS) * 20 * MS  # the last reading
RAN = [(begin, end, kernel) for begin, end, kernel in RAN if kernel]


def figures(got, domain, kernel):
    """The power of a kernel is in an interval of a few watts; all else follows from these two."""
    time_s = sum(max(min(end, UNTIL_NS) - begin, 0) for begin, end, of in RAN if of == kernel) / 1e9
    power_w, ci95_w = got["power_w"], got["ci95_w"]
    off_w = abs(power_w - KERNELS[kernel][domain])
    return {"domain": domain, "power_w": lambda _: off_w < 3, "ci95_w": lambda _: off_w <= ci95_w < 3,
            "energy_j": near(power_w * time_s), "ci95_j": near(ci95_w * time_s),
            "relative": near(KERNELS[kernel][domain] / LARGEST_W[domain], 0.01)}


def domains(answer):
    rows = [{"by": "kernel", "name": kernel, "shape": SHAPE,
             "domains": [figures(got, domain, kernel) for domain, got in zip(IDLE_W, row["domains"])]}
            for kernel, row in zip(KERNELS, answer["rows"])]
    after = [(max(begin, UNTIL_NS), end) for begin, end, _ in RAN if end > UNTIL_NS]
    both_w = {domain: sum(kernel[domain] for kernel in KERNELS.values()) - IDLE_W[domain] for domain in IDLE_W}
    return {**head("domains", ["limit700"], "regress", executions=len(RAN), layers=False,
                   power_gap_s=(END_NS - UNTIL_NS) / 1e9, unmeasured_s=sum(end - begin for begin, end in after) / 1e9,
                   unmeasured_executions=sum(begin >= UNTIL_NS for begin, _, _ in RAN)),
            "domains": [{"domain": domain, "part_of": part_of, "largest_w": near(LARGEST_W[domain], 0.01),
                         "limit_w": limit_w, "method": "regress"}
                        for domain, part_of, limit_w in (("gpu", "", LIMIT_W), ("memory", "gpu", None))],
            "rows": rows,
            "complementary": [{"kernels": [{"name": kernel, "shape": SHAPE} for kernel in KERNELS],
                               "domains": [{"domain": domain, "power_w": near(both_w[domain], 0.01)}
                                           for domain in IDLE_W]}]}, \
        [{**{key: row[key] for key in ("by", "name", "shape")}, **each} for row in answer["rows"]
         for each in row["domains"]]


check(domains)
