# The events of a trace, from the text that babeltrace2 makes of it.
import re

FIELD = re.compile(r'(\w+) = (?:"([^"]*)"|(-?\d+))')


def read_events(lines):
    """Returns lists of dictionaries, by the event's name."""
    events = {}
    for line in lines:
        name = re.search(r" pwrtrace:(\w+): ", line)
        if name:
            fields = {key: text if number == "" else int(number)
                      for key, text, number in FIELD.findall(line)}
            events.setdefault(name[1], []).append(fields)
    return events
