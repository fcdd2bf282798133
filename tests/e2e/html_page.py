#!/usr/bin/python3
"""html_page.py PAGE REPORT LAYERS: whether what a page of --format html shows without JavaScript is
what the JSON reports of the same trace by kernel and by layer say; that names in it are text; and that
it asks no network for anything.  Prints what differs, and fails."""
import base64
import decimal
import hashlib
import html.parser
import json
import re
import sys
import unicodedata

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


def differences(path, report_path, layers_path):
    with open(path, encoding="utf-8", newline="") as file:
        page = Page(file.read())
    report, layers = (json.load(open(name, encoding="utf-8"), parse_float=decimal.Decimal)
                      for name in (report_path, layers_path))
    yield from page.wrong
    yield from compare_rows(page, "rows", report, FLAT, False)
    if rows_of(page, "layers") or len(layers["rows"]) > 1:
        yield from compare_rows(page, "layers", layers, TREE, True)
    yield from compare_balance(page, report)
    yield from compare_iterations(page, layers)
    yield from asks_network(page)


if __name__ == "__main__":
    found = list(differences(*sys.argv[1:]))
    print(*found[:20], sep="\n")
    sys.exit(bool(found))
