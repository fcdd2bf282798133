# Compares the fields of the trace's schema with those that functions of analyzer/load read:
#
#	awk -f fields.awk include/pwrtrace/events.def analyzer/load/unread.def analyzer/load/*.c
#
# A function reads a field through a pointer to its event, "const struct pwrtrace_<event> *e".  A field
# that no function reads must have a row in unread.def, which says why.  For each mistake, prints a line
# that says what to do, and exits with status 1.

function complain(text) {
	print text > "/dev/stderr"
	failed = 1
}

FILENAME ~ /events\.def$/ {
	line = $0
	if (line ~ /^(\/\*| \*)/)
		next
	if (match(line, /^EVENT\([a-z0-9_]+/)) {
		event = substr(line, 7, RLENGTH - 6)
		events[event] = 1
	}
	if (match(line, /^OLD_EVENT\([a-z0-9_]+, [0-9]+/)) {
		event = substr(line, 11, RLENGTH - 10)
		sub(/, /, "_", event)
		events[event] = 1
	}
	while (match(line, /(U32|U64|I32|I64|F64|STR)\([a-z0-9_]+\)/)) {
		fields[event "." substr(line, RSTART + 4, RLENGTH - 5)] = event
		line = substr(line, RSTART + RLENGTH)
	}
	next
}

FILENAME ~ /unread\.def$/ {
	if (match($0, /^UNREAD\([a-z0-9_]+, [a-z0-9_]+/)) {
		split(substr($0, 8, RLENGTH - 7), part, ", ")
		excused[part[1] "." part[2]] = 1
	}
	next
}

# Which event each pointer of a function is to.
match($0, /const struct pwrtrace_[a-z0-9_]+ \*[a-z]+/) {
	split(substr($0, RSTART + 22, RLENGTH - 22), part, " \\*")
	of[part[2]] = part[1]
}

/^void take_/ {
	match($0, /take_[a-z0-9_]+/)
	taken[substr($0, RSTART + 5, RLENGTH - 5)] = 1
}

/->/ {
	line = $0
	while (match(line, /[a-z]+->[a-z0-9_]+/)) {
		split(substr(line, RSTART, RLENGTH), part, "->")
		if (part[1] in of)
			read[of[part[1]] "." part[2]] = 1
		line = substr(line, RSTART + RLENGTH)
	}
}

/^}/ {
	split("", of)
}

END {
	for (event in events)
		if (!(event in taken))
			complain("include/pwrtrace/events.def: no function takes " event ": write take_" event "() in analyzer/load (take.h says how)")
	for (field in fields)
		if (fields[field] in taken && !(field in read) && !(field in excused))
			complain("include/pwrtrace/events.def: nothing reads " field ": read it in take_" fields[field] "() of analyzer/load, or say in analyzer/load/unread.def why not")
	for (field in excused) {
		if (!(field in fields))
			complain("analyzer/load/unread.def: events.def has no " field ": correct its row or take it out")
		if (field in read)
			complain("analyzer/load/unread.def: " field " is read: take its row out")
	}
	exit failed
}
