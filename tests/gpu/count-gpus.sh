#!/bin/sh
# Prints how many NVIDIA GPUs there are; none: one line that says so, and exit status 1.
nvidia-smi -L 2>/dev/null | grep -c '^GPU' && exit
echo "No NVIDIA GPU is found here (nvidia-smi -L lists none)." >&2
exit 1
