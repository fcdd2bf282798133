# The same trace as several hosts made it.

# host_text GOLDEN NAME BOOTED_S DAY_S [TRACE]: a trace of GOLDEN (pair), for trace_text, as another host made
# it, which was booted BOOTED_S before, when the time of day was DAY_S (0: it does not know).
host_text() {
	perl -pe 's/\b((?:begin|end|time|enqueue|return|submit|host)_ns=)(\d+)/$1 . sprintf("%d", $2 + '"$3"'e9)/ge;
		s/host=h boot_id=b/host='"$2 boot_id=$2 realtime_offset_ns=$4"'000000000/' "$1/${5:-pair}.txt"
}
