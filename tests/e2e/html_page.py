#!/usr/bin/python3
"""html_page.py PAGE REPORT LAYERS LAUNCHES STREAMS: whether what a page of --format html shows without JavaScript
is what the JSON reports of the same trace by kernel and by layer say, and what its charts are drawn of, what those
by launch, by stream and by layer say; that names in it are text; and that it asks no network for anything.  Prints
what differs, and fails."""
import array
import base64
import decimal
import gzip
import hashlib
import html.parser
import itertools
import json
import re
import sys
import unicodedata

from executions import load

VOID = {"meta", "input", "br"}
# What C writes, and nothing else: markup in a name would make other elements or attributes.
ELEMENTS = set("""html head meta title style body header h1 h2 h3 p main section dl div dt dd data table thead
    tbody tr th td span i bdi small ul li details summary footer code pre script""".split())
ATTRIBUTES = set("""lang charset http-equiv content name id class hidden title style value scope role tabindex
    colspan type aria-hidden aria-label data-sort data-sort-method data-depth data-form""".split())
NAME_SEEN, NAME_BEGIN, TITLE_MAX = 120, 80, 2000


class Page(html.parser.HTMLParser):
    """The elements of a page: (name, attributes, text of it and what is in it, id of the table it is in)."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.wrong = [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.wrong.append(f"not closed: {self.open[-1][0]}")

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS:
            self.wrong.append(f"an element {tag}")
        self.wrong += [f"an attribute {key}" for key, _ in attributes if key not in ATTRIBUTES]
        tables = [of.get("id") for name, of, *_ in self.open if name == "table"]
        element = (tag, dict(attributes), [], tables[-1] if tables else None)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.wrong.append(f"{tag} is closed where it is not open")

    def handle_data(self, data):
        for _, _, texts, _ in self.open:
            texts.append(data)

    def handle_comment(self, data):
        self.wrong.append(f"a comment: {data[:40]}")


def text(element):
    return "".join(element[2])


def escaped(name):
    """As people read a name."""
    special = {"\n": "\\n", "\t": "\\t"}
    return "".join(special.get(c, f"\\x{ord(c):02x}") if unicodedata.category(c) == "Cc" else c for c in name)


def cut(name, most, begin):
    if len(name) <= most:
        return escaped(name)
    return escaped(name[:begin]) + "…" + escaped(name[len(name) - (most - begin - 1):])


def rows_of(page, table_id):
    """Of each row of a table: (attributes of its name, name, values by heading)."""
    headings, rows = [], []
    for tag, attributes, texts, table in page.elements:
        if table != table_id:
            continue
        if tag == "th" and attributes.get("scope") == "col":
            headings.append("".join(texts))
        elif tag == "th":
            rows.append([attributes, None, []])
        elif tag == "bdi" and rows:
            rows[-1][0], rows[-1][1] = attributes, "".join(texts)
        elif tag == "td":
            rows[-1][2].append(attributes.get("data-sort"))
    return [(attributes, name, dict(zip(headings[1:], values))) for attributes, name, values in rows]


def compare_rows(page, table_id, report, keys, short):
    """Says how the rows of a table differ from those of a report; keys: of the latter by heading."""
    rows = rows_of(page, table_id)
    if len(rows) != len(report["rows"]):
        yield f"{table_id}: {len(rows)} rows, not {len(report['rows'])}"
    wanted = report["rows"]
    if table_id == "layers":  # a tree has another order
        rows = sorted(rows, key=lambda row: row[0].get("title", ""))
        wanted = sorted(wanted, key=lambda row: cut(row["name"], TITLE_MAX, TITLE_MAX // 2))
    for (attributes, name, values), row in zip(rows, wanted):
        if attributes.get("title") != cut(row["name"], TITLE_MAX, TITLE_MAX // 2):
            yield f"{table_id}: {attributes.get('title')[:200]!r} is not {row['name'][:200]!r}"
        if short and name != (cut(row["short_name"], NAME_SEEN, NAME_BEGIN) or '""'):
            yield f"{table_id}: {name!r} is not {row['short_name'][:200]!r}"
        for heading, key in keys.items():
            if heading in values and decimal.Decimal(values[heading]) != (-1 if row[key] is None else row[key]):
                yield f"{table_id}: {heading} of {name!r} is {values[heading]}, not {row[key]}"


FLAT = {"energy and interval": "energy_j", "energy": "energy_j", "share": "share", "static": "static_j",
        "dynamic": "dynamic_j", "power": "power_w", "time": "time_s", "executions": "executions"}
TREE = {"energy": "inclusive_j", "share": "inclusive_share", "static": "inclusive_static_j",
        "dynamic": "inclusive_dynamic_j", "power": "inclusive_power_w", "time": "inclusive_busy_s",
        "executions": "inclusive_executions", "own": "energy_j", "idle": "inclusive_idle_j"}


def compare_balance(page, report):
    balance = report["balance"]
    rows = rows_of(page, "balance")
    if len(rows) != 1 + len(balance["devices"]):
        yield f"balance: {len(rows)} rows"
    for (_, name, values), wanted in zip(rows, [balance, *balance["devices"]]):
        for heading, value in values.items():
            key = "measured_j" if heading == "estimated" else f"{heading}_j"
            if decimal.Decimal(value) != (-1 if wanted[key] is None else wanted[key]):
                yield f"balance: {heading} of {name} is {value}, not {wanted[key]}"


def compare_iterations(page, report):
    iterations = report.get("iterations", {})
    each, unit = iterations.get("each", []), iterations.get("unit")
    rows = rows_of(page, "each-iteration")
    if len(rows) != min(len(each), 500):
        yield f"{len(rows)} iterations"
    for (_, _, values), wanted in zip(rows, each):
        for heading, key in ("energy", "energy_j"), ("idle", "idle_j"), *([(unit, "amount")] if unit else []):
            if decimal.Decimal(values[heading]) != (-1 if wanted[key] is None else wanted[key]):
                yield f"iteration {wanted['number']}: {heading} is {values[heading]}, not {wanted[key]}"


# ---- charts ----

FORMS = {"Uint16": "H", "Uint32": "I", "Float32": "f"}
LABEL_MAX, LEAST_FLAME, BLOCKS_MAX = 160, 5e-4, 200000
ROUNDED_W = 0.051  # powers of blocks have one decimal


def charts_of(page):
    """The data of the charts: what describes them, and columns of numbers by name."""
    found = {}
    for tag, attributes, texts, _ in page.elements:
        if tag == "script" and attributes.get("class") == "data":
            packed = gzip.decompress(base64.b64decode("".join(texts)))
            form = attributes["data-form"]
            found[attributes["id"]] = json.loads(packed) if form == "JSON" else array.array(FORMS[form], packed)
    return found.pop("charts"), found


def label_of(name):
    """A name as charts have it."""
    shown = escaped(name) or '""'
    half = LABEL_MAX // 2
    return shown if len(shown) <= LABEL_MAX else f"{shown[:half]}…{shown[-half:]}"


def is_labelled(label, row):
    names = {name + shape for name in (row["name"], row["short_name"]) for shape in ("", f" [{row['shape']}]")}
    return label in {label_of(name) for name in names}


def begins_of(path):
    """When the first block of each lane of a page begins, in seconds, sorted."""
    with open(path, encoding="utf-8", newline="") as file:
        charts, columns = charts_of(Page(file.read()))
    firsts = itertools.accumulate([0] + [lane["blocks"] for lane in charts["lanes"]["list"]][:-1])
    return [f"{seconds:.2f}" for seconds in sorted(columns["block-begin"][i] * charts["lanes"]["unit_s"] for i in firsts)]


def compare_lanes(charts, columns, streams, untimed):
    """Says how the blocks of lanes differ from streams: how many ran, for how long, and their joules."""
    at, rows = 0, {}
    for row in streams["rows"]:
        rows.setdefault(label_of(row["name"]), []).append(row)
    for lane in charts["lanes"]["list"]:
        blocks = range(at, at + lane["blocks"])
        at += lane["blocks"]
        ran = sum(columns["block-executions"][i] for i in blocks)
        joules = sum(columns["block-w"][i] * columns["block-length"][i] * charts["lanes"]["unit_s"] for i in blocks)
        error = ROUNDED_W * sum(columns["block-length"][i] * charts["lanes"]["unit_s"] for i in blocks) + 1e-9
        if not any(ran <= row["executions"] <= ran + untimed and abs(float(row["energy_j"] or 0) - joules) <= error
                   for row in rows.get(lane["name"], [])):
            yield f"lane {lane['name']}: {ran} executions with {joules} J"
    if charts["lanes"]["of"] <= 48 and {lane["name"] for lane in charts["lanes"]["list"]} != {
            name for name, own in rows.items() if any(row["time_s"] for row in own)}:
        yield f"the lanes are {charts['lanes']['list']}"


def compare_blocks(charts, columns, launches):
    """Says how blocks differ from single executions: when each ran, what it is called, and its power."""
    unit_s = decimal.Decimal(charts["lanes"]["unit_s"])
    begins = itertools.chain.from_iterable(
        itertools.accumulate(columns["block-begin"][at - lane["blocks"]:at])
        for at, lane in zip(itertools.accumulate(lane["blocks"] for lane in charts["lanes"]["list"]),
                            charts["lanes"]["list"]))
    blocks = sorted(zip(begins, columns["block-length"], columns["block-w"], columns["block-label"],
                        columns["block-executions"]))
    rows = [row for row in launches["rows"] if row["time_s"] is not None]
    first_ns = min((row["begin_ns"] for row in rows), default=0)
    wanted = sorted((((row["begin_ns"] - first_ns) / unit_s / 10**9, row["time_s"] / unit_s,
                      float((row["energy_j"] or 0) / row["time_s"]) if row["time_s"] else 0, i)
                     for i, row in enumerate(rows)))
    if len(blocks) != len(wanted):
        yield f"{len(blocks)} blocks, not {len(wanted)} executions"
    for (begin, length, power_w, label, ran), (*row, i) in zip(blocks, wanted):
        name = charts["labels"][label] if label < len(charts["labels"]) else None
        if abs(begin - blocks[0][0] - row[0]) > 1 or abs(length - row[1]) > 1 or ran != 1:
            yield f"a block of {name!r} at {begin} for {length}, not at {row[0]} for {row[1]}"
        elif abs(power_w - row[2]) > ROUNDED_W + 1e-6 * row[2] and rows[i]["time_s"] * 10**9 > 1:
            yield f"a block of {name!r} at {begin} has {power_w} W, not {row[2]}"
        elif name is not None and not is_labelled(name, rows[i]):
            yield f"a block at {begin} is called {name!r}, not {rows[i]['name'][:200]!r}"


def leaves_of(flame):
    """The names and joules of what nothing is below."""
    if not flame["children"]:
        yield flame["name"], flame["value"]
    for below in flame["children"]:
        yield from leaves_of(below)


def compare_kernels(charts, report, layers):
    """Says how the joules of a kernel in the flame chart differ from it, but for those that are too few to be seen."""
    all_j, joules = charts["flames"]["layers"]["value"], {}
    for name, leaf_j in leaves_of(charts["flames"]["layers"]):
        joules[name] = joules.get(name, 0) + leaf_j
    for name, found_j in joules.items() if all_j else []:
        wanted_j = sum(float(row["energy_j"] or 0) for row in report["rows"] if is_labelled(name, row))
        if not -1e-9 <= wanted_j - found_j <= LEAST_FLAME * all_j * len(layers["rows"]):
            yield f"flames: the kernel {name!r} has {found_j} J, not {wanted_j}"


def compare_flames(charts, layers):
    """Says how what is below a layer in the flame chart differs from it, where it is enough to be seen."""
    all_j = charts["flames"]["layers"]["value"]
    if abs(all_j - float(layers["balance"]["attributed_j"] or 0)) > 1e-9:
        yield f"flames: {all_j} J in all"
    for row in layers["rows"]:
        wanted_j = float(row["inclusive_j"] or 0)
        flame = {"children": [charts["flames"]["layers"]]}
        for name in ["all", *row["path"]][:128]:
            same = [below for below in flame["children"] if below["name"] == label_of(name)]
            flame = same[0] if len(same) == 1 else None
            if not flame:
                break
        if wanted_j >= LEAST_FLAME * all_j and wanted_j > 0 and (not flame or abs(flame["value"] - wanted_j) > 1e-9):
            yield f"flames: {row['name'][:200]!r} has {flame and flame['value']} J, not {wanted_j}"


def compare_charts(page, report, layers, launches, streams):
    charts, columns = charts_of(page)
    if launches["coverage"]["executions"] <= BLOCKS_MAX and charts["lanes"]["of"] <= 48:
        yield from compare_lanes(charts, columns, streams, launches["coverage"]["without_time"])
        if len(launches["trace"]) == 1:  # each machine counts from its own beginning
            yield from compare_blocks(charts, columns, launches)
    yield from compare_flames(charts, layers)
    yield from compare_kernels(charts, report, layers)
    curves = [(curve["device"], curve["domain"], curve["kind"]) for curve in charts["power"]["list"]]
    if len(set(curves)) != len(curves):
        yield f"curves of one name: {curves}"
    each = layers.get("iterations", {}).get("each", [])
    if charts["iterations"] and charts["iterations"]["step"] == 1:
        for joules, wanted in itertools.zip_longest(columns["iteration-j"], each):
            if joules is None or not wanted or \
                    abs(joules - float(wanted["energy_j"] + wanted["idle_j"])) > 1e-6 * joules:
                yield f"an iteration of {joules} J, not {wanted}"


def compare_bars(page, report):
    """Says how bars, and the intervals over their ends, differ from the energies of rows."""
    rows = [(float(row["energy_j"]), max(float(-1 if row["ci95_j"] is None else row["ci95_j"]), -1))
            for row in report["rows"] if row["energy_j"] is not None]
    most_j = max((energy_j + max(ci95_j, 0) for energy_j, ci95_j in rows), default=0)
    spans = [(attributes["class"], [float(number) for number in re.findall(r"([0-9.]+)%", attributes["style"])])
             for tag, attributes, _, table in page.elements if tag == "span" and table == "rows"]
    wanted = []
    for energy_j, ci95_j in rows if most_j else []:
        low_j = max(energy_j - ci95_j, 0)
        wanted.append(("fill", [100 * energy_j / most_j]))
        if ci95_j >= 0:
            wanted.append(("interval", [100 * low_j / most_j, 100 * (energy_j + ci95_j - low_j) / most_j]))
    for (kind, percent), (wanted_kind, wanted_percent) in itertools.zip_longest(spans, wanted, fillvalue=(None, [])):
        if kind != wanted_kind or any(abs(a - b) > 0.006 for a, b in
                                      itertools.zip_longest(percent, wanted_percent, fillvalue=-1)):
            yield f"rows: {kind} of {percent} %, not {wanted_kind} of {wanted_percent} %"


def asks_network(page):
    """Whatever would make a browser ask for an address, or let it."""
    policy = [a["content"] for tag, a, *_ in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    if len(policy) != 1 or "default-src 'none'" not in policy[0] or re.search(r"https?:|\*", policy[0]):
        yield f"the policy is {policy}"
    for element in page.elements:
        tag, attributes, *_ = element
        if tag == "style" and re.search(r"url\(|@import|https?:", text(element)):
            yield "an address in a style sheet"
        if any("http" in (value or "") and key not in ("title", "http-equiv") for key, value in attributes.items()):
            yield f"an address in {attributes}"
        if tag == "script" and "type" not in attributes:
            digest = base64.b64encode(hashlib.sha256(text(element).encode()).digest()).decode()
            if not policy or f"'sha256-{digest}'" not in policy[0]:
                yield "a script that is not ours"


def differences(path, *reports):
    with open(path, encoding="utf-8", newline="") as file:
        page = Page(file.read())
    report, layers, launches, streams = (load(name) for name in reports)
    yield from page.wrong
    yield from compare_rows(page, "rows", report, FLAT, False)
    if rows_of(page, "layers") or len(layers["rows"]) > 1:
        yield from compare_rows(page, "layers", layers, TREE, True)
    yield from compare_balance(page, report)
    yield from compare_iterations(page, layers)
    yield from compare_charts(page, report, layers, launches, streams)
    yield from compare_bars(page, report)
    yield from asks_network(page)


if __name__ == "__main__":
    found = list(differences(*sys.argv[1:]))
    print(*found[:20], sep="\n")
    sys.exit(bool(found))
