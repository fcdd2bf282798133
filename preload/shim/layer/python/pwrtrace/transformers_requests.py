# SPDX-License-Identifier: MIT
"""Marks the requests that a server of Hugging Face's transformers batches continuously.  preload/shim/layer/python.c
runs this behind patches.py while torch is imported; mark(name, value, unit) is its.

  request#ID         a request arrives, with its input tokens
  cached#ID          so many of them need no processing: the cache has them, of another request
  tokens#ID          so many tokens of it were processed by what has been launched since the last such marks

The scheduler says what a step will process.  The marks come once the step is launched: when its tokens are
there (update_batch); where steps overlap, right behind the launches, since those of the next one come before
its tokens do.
"""
import sys
import threading

PACKAGE = "transformers.generation.continuous_batching"

adding = threading.local()
new = set()  # ids of requests that no step has processed yet
running = set()  # and of those that one has


def first_of(state, *names):
    """Versions call the same differently."""
    for name in names:
        value = getattr(state, name, None)
        if value is not None:
            return value
    raise AttributeError(f"{type(state).__name__} has none of {', '.join(names)}")


def mark_of(what, request_id, value, unit):
    mark(f"{what}#{request_id}".encode(errors="surrogateescape"), value, unit)


@guarded
def begin_request(state):
    if undo and state.request_id not in running:
        new.add(state.request_id)
        tokens = first_of(state, "initial_tokens", "full_prompt_ids", "prompt_ids")
        mark_of("request", state.request_id, len(tokens), b"input token")


def meet(state, scheduler):
    """A step processes tokens of a request for the first time.  One that nobody has asked for is a copy of
    another, to be answered once more."""
    if state.request_id not in new:
        begin_request(state)
    if state.position_offset:
        mark_of("cached", state.request_id, state.position_offset, b"input token")
    new.discard(state.request_id)
    if len(running) > 1000 + 2 * len(scheduler.active_requests):
        running.intersection_update(scheduler.active_requests)
    running.add(state.request_id)


@guarded
def note_batch(processor, scheduled):
    """Keeps what the step is going to process."""
    batch = scheduled[0] if isinstance(scheduled, tuple) else scheduled
    parts = []
    for item in batch or () if undo else ():
        state = getattr(item, "state", item)
        if state.request_id not in running:
            meet(state, processor.scheduler)
        length = getattr(item, "query_length", None)
        if length is None:
            length = len(first_of(state, "tokens_to_process", "prompt_ids"))
        parts.append((state.request_id, length))
    processor.pwrtrace_parts = parts


@guarded
def mark_batch(processor):
    for request_id, length in vars(processor).pop("pwrtrace_parts", ()):
        mark_of("tokens", request_id, length, b"token")


# --- patches ----------------------------------------------------------------------------------------


def make_add(original):
    def add_request(*args, **kwargs):
        adding.now = True
        try:
            return original(*args, **kwargs)
        finally:
            adding.now = False
    return add_request


def make_state(original):
    def init(self, *args, **kwargs):
        original(self, *args, **kwargs)
        if getattr(adding, "now", False):
            begin_request(self)
    return init


def make_prepare(original):
    def prepare_next_batch(self, *args, **kwargs):
        watch_scheduler(self)
        ready = original(self, *args, **kwargs)
        if not ready:
            vars(self).pop("pwrtrace_parts", None)
        return ready
    return prepare_next_batch


@guarded
def watch_scheduler(processor):
    schedule = processor.scheduler.schedule_batch
    if getattr(schedule, "is_watched", False):
        return

    def schedule_batch(*args, **kwargs):
        scheduled = schedule(*args, **kwargs)
        note_batch(processor, scheduled)
        return scheduled

    schedule_batch.is_watched = True
    processor.scheduler.schedule_batch = schedule_batch


def make_step(original):
    def generation_step(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        if getattr(self, "use_async_batching", False):
            mark_batch(self)
        return result
    return generation_step


def make_update(original):
    def update_batch(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        if not getattr(self, "use_async_batching", False):
            mark_batch(self)
        return result
    return update_batch


def patch_batching(module):
    global version
    version = f"transformers {getattr(sys.modules['transformers'], '__version__', '')}"
    processor = getattr(module, "ContinuousBatchProcessor", None)
    if processor is None or processor.__module__ != module.__name__:
        return  # the package, whose module continuous_api has the class
    replace(module.ContinuousBatchingManager, "add_request", make_add)
    replace(module.RequestState, "__init__", make_state)
    replace(processor, "prepare_next_batch", make_prepare)
    if hasattr(processor, "_generation_step"):
        replace(processor, "_generation_step", make_step)
    replace(processor, "update_batch", make_update)


subject = "requests to transformers make no marks"
waiting.update({PACKAGE: patch_batching, PACKAGE + ".continuous_api": patch_batching})
install("transformers")
