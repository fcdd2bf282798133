# SPDX-License-Identifier: MIT
"""CUPTI's sampling of counters and tracing of kernels, through ctypes and so without its headers."""
import ctypes
import glob
import os
import sys
import threading
import time
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

from known_load import NvidiaError, check, load_library, say

SHARE = ".avg.pct_of_peak_sustained_elapsed"
# Columns of the tables and the counters they are of; GH100 schedules them all in one pass.
METRICS = {
    "GR": "gr__cycles_active" + SHARE,
    "SM": "TPC.TriageCompute.sm__cycles_active" + SHARE,
    "issue": "TPC.TriageCompute.sm__inst_executed_realtime" + SHARE,
    "fma": "TPC.TriageCompute.sm__inst_executed_pipe_fma_realtime" + SHARE,
    "alu": "TPC.TriageCompute.sm__inst_executed_pipe_alu_realtime" + SHARE,
    "fp64": "TPC.TriageCompute.sm__pipe_fp64_cycles_active_realtime" + SHARE,
    "tensor": "TPC.TriageCompute.sm__pipe_tensor_cycles_active_realtime" + SHARE,
    "read": "dram__read_throughput" + SHARE,
    "write": "dram__write_throughput" + SHARE,
    "L2": "LTS.TriageCompute.lts__throughput" + SHARE,
    "clock": "sm__cycles_elapsed.avg.per_second",
}
HARDWARE_BUFFER = 64 << 20
MAX_IMAGE = 512 << 20
MAX_SAMPLES = 50_000  # of one image
PM_SAMPLING = 3  # CUPTI_PROFILER_PM_SAMPLING
PM_PROFILER = 1  # CUPTI_PROFILER_TYPE_PM_SAMPLING
BY_TIME = 1  # CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL
IMAGE_FULL = 1  # CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
KERNELS = 10  # CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
SUPPORT = ("unknown", "unsupported", "disabled", "supported")


def load_cupti():
    """CUPTI, after the libraries beside it that it opens by name."""
    found = os.environ.get("CUPTI")
    folders = [os.path.join(path, "nvidia", "*", "lib") for path in sys.path] + ["/usr/local/cuda/lib64",
              "/usr/local/cuda/extras/CUPTI/lib64"]
    paths = [found] if found else [path for folder in folders for path in sorted(glob.glob(folder + "/libcupti.so.1?"))]
    for beside in ("libnvperf_target.so", "libnvperf_host.so") if paths else ():
        try:
            ctypes.CDLL(os.path.join(os.path.dirname(paths[0]), beside), ctypes.RTLD_GLOBAL)
        except OSError as error:
            say(f"  {error}")
    cupti = load_library(*(paths or ["libcupti.so.13", "libcupti.so.12"]))

    def describe(code):
        text = c_char_p()
        cupti.cuptiGetResultString(code, byref(text))
        return text.value.decode() if text.value else "?"

    cupti.describe = describe
    version = c_uint32()
    check(cupti, "cuptiGetVersion", byref(version))
    say(f"CUPTI {version.value} of {cupti._name}")
    return cupti


def parameters(**fields):
    """A structure as CUPTI's *_Params, whose size ends with the last of fields, without padding."""
    members = [("structSize", c_size_t), ("pPriv", c_void_p)] + [(name, type(value)) for name, value in fields.items()]
    kind = type("Params", (ctypes.Structure,), {"_fields_": members})
    last = getattr(kind, members[-1][0])
    return kind(last.offset + last.size, None, *fields.values())


class Sampler:
    """PM sampling of device 0.  Raises NvidiaError where a call is refused, which has then been printed."""

    def __init__(self, cupti, epoch_ns):
        self.cupti, self.epoch_ns = cupti, epoch_ns
        self.names = (c_char_p * len(METRICS))(*(name.encode() for name in METRICS.values()))
        self.call("cuptiProfilerInitialize")
        support = self.call("cuptiProfilerDeviceSupported", cuDevice=c_int(0), isSupported=c_int(), architecture=c_int(),
                            sli=c_int(), vGpu=c_int(), confidentialCompute=c_int(), cmp=c_int(), wsl=c_int(),
                            api=c_int(PM_SAMPLING))
        say("  PM sampling: " + ", ".join(f"{name} {SUPPORT[getattr(support, name)]}"
                                          for name, _ in support._fields_[3:-1]))
        chip = self.call("cuptiDeviceGetChipName", deviceIndex=c_size_t(0), pChipName=c_char_p()).pChipName
        size = self.call("cuptiPmSamplingGetCounterAvailability", deviceIndex=c_size_t(0),
                         counterAvailabilityImageSize=c_size_t(), pCounterAvailabilityImage=c_void_p())
        available = ctypes.create_string_buffer(size.counterAvailabilityImageSize)
        self.call("cuptiPmSamplingGetCounterAvailability", deviceIndex=c_size_t(0),
                  counterAvailabilityImageSize=c_size_t(len(available)),
                  pCounterAvailabilityImage=c_void_p(ctypes.addressof(available)))
        self.host = c_void_p(self.call("cuptiProfilerHostInitialize", profilerType=c_int(PM_PROFILER),
                                       pChipName=c_char_p(chip),
                                       pCounterAvailabilityImage=c_void_p(ctypes.addressof(available)),
                                       pHostObject=c_void_p()).pHostObject)
        self.call("cuptiProfilerHostConfigAddMetrics", pHostObject=self.host, ppMetricNames=self.metric_names(),
                  numMetrics=c_size_t(len(METRICS)))
        size = self.call("cuptiProfilerHostGetConfigImageSize", pHostObject=self.host, configImageSize=c_size_t())
        self.config = ctypes.create_string_buffer(size.configImageSize)
        self.call("cuptiProfilerHostGetConfigImage", pHostObject=self.host, configImageSize=c_size_t(len(self.config)),
                  pConfigImage=c_void_p(ctypes.addressof(self.config)))
        passes = self.call("cuptiProfilerHostGetNumOfPasses", configImageSize=c_size_t(len(self.config)),
                           pConfigImage=c_void_p(ctypes.addressof(self.config)), numOfPasses=c_size_t()).numOfPasses
        say(f"  chip {chip.decode()}, {len(METRICS)} counters in {passes} pass(es)")
        self.enabled = c_void_p(self.call("cuptiPmSamplingEnable", deviceIndex=c_size_t(0),
                                          pPmSamplingObject=c_void_p()).pPmSamplingObject)
        self.image = None

    def metric_names(self):
        return ctypes.cast(self.names, POINTER(c_char_p))

    def call(self, name, **fields):
        params = parameters(**fields) if fields else (c_size_t * 2)(16, 0)
        check(self.cupti, name, byref(params))
        return params

    def call_on_object(self, name, **fields):
        return self.call("cuptiPmSampling" + name, pPmSamplingObject=self.enabled, **fields)

    def configure(self, interval_ns, seconds):
        """Makes ready for samples every interval_ns in a load of about seconds."""
        self.call_on_object("SetConfig", configSize=c_size_t(len(self.config)),
                            pConfig=c_void_p(ctypes.addressof(self.config)), hardwareBufferSize=c_size_t(HARDWARE_BUFFER),
                            samplingInterval=c_uint64(interval_ns), triggerMode=c_int(BY_TIME),
                            hwBufferAppendMode=c_int(0))
        count = min(MAX_SAMPLES, int(seconds * 2e9 / interval_ns) + 64)
        for _ in range(2):
            size = self.call_on_object("GetCounterDataSize", pMetricNames=self.metric_names(),
                                       numMetrics=c_size_t(len(METRICS)), maxSamples=c_uint32(count),
                                       counterDataSize=c_size_t()).counterDataSize
            if size <= MAX_IMAGE:
                break
            count = max(64, int(count * MAX_IMAGE / size))
        self.bytes_per_sample = size / count
        self.image = (c_uint8 * size)()
        self.clear()

    def clear(self):
        self.call_on_object("CounterDataImageInitialize", counterDataSize=c_size_t(len(self.image)),
                            pCounterData=self.image_at())
        self.samples, self.overflow, self.decode_s, self.evaluate_s = [], 0, 0.0, 0.0

    def image_at(self):
        return c_void_p(ctypes.addressof(self.image))

    def decode(self):
        """Takes the samples out of the hardware's buffer into the image, and out of that if it is full."""
        for _ in range(1000):
            begun = time.thread_time()
            decoded = self.call_on_object("DecodeData", pCounterDataImage=self.image_at(),
                                          counterDataImageSize=c_size_t(len(self.image)), decodeStopReason=c_int(),
                                          overflow=c_uint8())
            self.decode_s += time.thread_time() - begun
            self.overflow += decoded.overflow
            if decoded.decodeStopReason != IMAGE_FULL:
                return
            self.evaluate()
            self.call_on_object("CounterDataImageInitialize", counterDataSize=c_size_t(len(self.image)),
                                pCounterData=self.image_at())

    def evaluate(self):
        """Appends the image's samples to self.samples: rows of begin and end in ns since epoch_ns, and then the METRICS."""
        begun = time.thread_time()
        image = {"pCounterDataImage": self.image_at(), "counterDataImageSize": c_size_t(len(self.image))}
        info = self.call("cuptiPmSamplingGetCounterDataInfo", **image, numTotalSamples=c_size_t(),
                         numPopulatedSamples=c_size_t(), numCompletedSamples=c_size_t())
        values = (c_double * len(METRICS))()
        sample = parameters(pPmSamplingObject=self.enabled, **image, sampleIndex=c_size_t(), startTimestamp=c_uint64(),
                            endTimestamp=c_uint64())
        evaluated = parameters(pHostObject=self.host, **image, rangeIndex=c_size_t(), ppMetricNames=self.metric_names(),
                               numMetrics=c_size_t(len(METRICS)), pMetricValues=c_void_p(ctypes.addressof(values)))
        for index in range(info.numCompletedSamples):
            sample.sampleIndex = evaluated.rangeIndex = index
            check(self.cupti, "cuptiPmSamplingCounterDataGetSampleInfo", byref(sample))
            check(self.cupti, "cuptiProfilerHostEvaluateToGpuValues", byref(evaluated))
            self.samples.append((sample.startTimestamp - self.epoch_ns, sample.endTimestamp - self.epoch_ns, *values))
        self.evaluate_s += time.thread_time() - begun

    def during(self, work):
        """What work returns, sampled; the samples are decoded every 20 ms as it runs."""
        self.clear()
        done, errors = threading.Event(), []

        def decode():
            try:
                while not done.wait(0.02):
                    self.decode()
            except NvidiaError as error:
                errors.append(error)

        thread = threading.Thread(target=decode)
        self.call_on_object("Start")
        thread.start()
        try:
            result = work()
        finally:
            done.set()
            thread.join()
            self.call_on_object("Stop")
        self.decode()
        self.evaluate()
        if errors:
            raise errors[0]
        return result


class Tracer:
    """CUPTI's tracing of kernels, which keeps when each began."""

    def __init__(self, cupti):
        self.cupti, self.buffers, self.begins, self.dropped = cupti, {}, [], 0
        buffer_at, size_at = POINTER(c_void_p), POINTER(c_size_t)
        self.callbacks = (ctypes.CFUNCTYPE(None, buffer_at, size_at, size_at)(self.request),
                          ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_void_p, c_size_t, c_size_t)(self.complete))
        check(cupti, "cuptiActivityRegisterCallbacks", *self.callbacks)
        check(cupti, "cuptiActivityEnable", KERNELS)

    def request(self, buffer, size, records):
        memory = (c_uint64 * (1 << 17))()
        self.buffers[ctypes.addressof(memory)] = memory
        buffer[0], size[0], records[0] = ctypes.addressof(memory), ctypes.sizeof(memory), 0

    def complete(self, context, stream, buffer, _, valid):
        record, lost = c_void_p(), c_size_t()
        while self.cupti.cuptiActivityGetNextRecord(c_void_p(buffer), c_size_t(valid), byref(record)) == 0:
            if c_uint32.from_address(record.value).value == KERNELS:
                self.begins.append(c_uint64.from_address(record.value + 16).value)
        self.cupti.cuptiActivityGetNumDroppedRecords(c_void_p(context), stream, byref(lost))
        self.dropped += lost.value
        del self.buffers[buffer]

    def flush(self):
        check(self.cupti, "cuptiActivityFlushAll", 1)
