# Names that attack what prints them.

# hostile_text GOLDEN: a trace, for trace_text, whose names are markup, quotes, control characters, bytes that are not UTF-8,
# turns of direction, and of a mebibyte.
hostile_text() {
	sed '/^kernel_def/,$d' "$1/names.txt"
	/usr/bin/python3 - <<'END'
names = ["</script><script>alert(1)</script>", "\\\"><img src=x onerror=alert(1)>", "<!--", "]]>", "&lt;&amp;&#x3c;",
         "' onmouseover='alert(1)", "</bdi></td></table>", "</title></style>", "javascript:alert(1)", "--></style>",
         "\\x1b[31m\\x00\\x9b\\x07", "\\xff\\xfe\\xc3", "\\xe2\\x80\\xaeesrever", "line\\nend\\ttab", "", " ",
         "http://example.org/x.js", "<svg onload=alert(1)>" + 65536 * "<b>0123456789</b>"]
for i, name in enumerate(names, 1):
    print(f'kernel_def pid=1 kernel={i} global_x=1 global_y=1 global_z=1 local_x=1 local_y=1 local_z=1 api=opencl name="{name}"')
    print(f'layer_def pid=1 layer={i} parent_layer=0 source=api name="{name}"')
    print(f'mark pid=1 tid=1 layer={i} time_ns={i * 1000000} value=1 unit="{name}" name="{name}"')
for i in range(1, len(names) + 1):
    print(f"kernel_launch pid=1 tid=1 correlation={i} kernel={i} stream=1 layer={i} enqueue_ns=0 return_ns=0")
print("at 15000000")
for i in range(1, len(names) + 1):
    print(f"kernel_exec pid=1 correlation={i} kernel={i} stream=1 begin_ns={i * 100000} end_ns={i * 150000} name=k")
print("power_sample pid=1 sensor=1 time_ns=15000000 power_mw=10000")
print('recording_end pid=1 end_ns=15000000 why="</p>"')
END
}
