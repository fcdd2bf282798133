# The text of a trace (tests/writers/trace_text.c) of a GPU whose whole and whose memory are measured, and
# of kernels that stress one or the other.
# Usage: domains_trace.py LIMIT_W >TEXT; LIMIT_W 0: none is recorded.
import random
import sys

MS = 10**6
IDLE_W = {"gpu": 100, "memory": 20}
KERNELS = {"multiply": {"gpu": 450, "memory": 40}, "read": {"gpu": 300, "memory": 160}}


def stretches():
    """What ran: begin and end in ns, and a kernel or None."""
    random.seed(1)
    now_ns = 0
    for _ in range(1500):
        kernel = random.choice([*KERNELS, None])
        end_ns = now_ns + round(random.uniform(1, 10) * MS)
        yield now_ns, end_ns, kernel
        now_ns = end_ns


def main(limit_w):
    all_of = list(stretches())
    now_ns = all_of[-1][1]
    print("at 0\nrecording pid=1 schema=1 begin_ns=0 host=h boot_id=b command=made-up power=nvml")
    print("process pid=1 schema=1 parent_pid=0 begin_ns=0 host=h boot_id=b executable=/bin/made-up")
    for i, domain in enumerate(IDLE_W):
        print(f"sensor_def pid=1 sensor={i + 1} period_ns={20 * MS} window_ns={20 * MS} lag_ns=0 source=nvml "
              f'device=GPU-1 domain={domain} part_of={"gpu" if i else chr(34) * 2} quantity=power')
    print('sensor_def pid=1 sensor=3 source=nvml device=GPU-1 domain=gpu part_of="" quantity=state')
    print('device pid=1 device=1 parent_device=0 compute_units=8 api=cuda kind=gpu name="Some GPU" uuid=GPU-1 '
          "pci=0000:01:00.0")
    print("stream_def pid=1 stream=1 context=1 device=1 out_of_order=0")
    for i, name in enumerate(KERNELS):
        print(f"kernel_def pid=1 kernel={i + 1} global_x=64 global_y=1 global_z=1 local_x=64 local_y=1 local_z=1 "
              f"api=cuda name={name}")
    print("at 1")
    if limit_w:
        print(f"device_state pid=1 sensor=3 time_ns=0 sm_clock_mhz=1980 limit_mw={limit_w * 1000}")
    for i, (begin_ns, end_ns, kernel) in enumerate(all_of):
        if kernel:
            print(f"kernel_exec pid=1 correlation={i + 1} kernel={list(KERNELS).index(kernel) + 1} stream=1 "
                  f"begin_ns={begin_ns} end_ns={end_ns} name=x")
    for i, domain in enumerate(IDLE_W):
        at = 0
        for end_ns in range(20 * MS, now_ns + 1, 20 * MS):
            energy = 0
            while all_of[at][1] <= end_ns - 20 * MS:
                at += 1
            for begin, end, kernel in all_of[at:]:
                if begin >= end_ns:
                    break
                watts = KERNELS[kernel][domain] if kernel else IDLE_W[domain]
                energy += watts * (min(end, end_ns) - max(begin, end_ns - 20 * MS))
            noise = random.gauss(0, 1)
            print(f"power_sample pid=1 sensor={i + 1} time_ns={end_ns} "
                  f"power_mw={round((energy / (20 * MS) + noise) * 1000)}")
    print(f'recording_end pid=1 end_ns={now_ns} why="the program ended"')


if __name__ == "__main__":
    main(int(sys.argv[1]))
