import queue
import threading

import torch

from .requests import FutureRequestState, RequestState

launch = None  # set by the program: launches so many kernels


class FIFOScheduler:
    """Chunked prefill: a step has a budget of tokens.  The first CACHED tokens of a prompt that another one has
    begun with are in the cache."""
    BUDGET, CACHED = 64, 16

    def __init__(self):
        self.active_requests, self.waiting_requests, self.prefixes = {}, {}, set()

    def add_waiting_request(self, state):
        self.waiting_requests[state.request_id] = state

    def admit(self):
        self.active_requests.update(self.waiting_requests)
        for state in self.waiting_requests.values():
            prefix = tuple(state.initial_tokens[:self.CACHED])
            if prefix in self.prefixes and len(state.initial_tokens) > self.CACHED:
                del state.remaining_prefill_tokens[:self.CACHED]
                state.position_offset = self.CACHED
            self.prefixes.add(prefix)
        self.waiting_requests = {}

    def schedule_batch(self, token_budget, pages):
        self.admit()
        batch = []
        for state in self.active_requests.values():
            if state.remaining_prefill_tokens:
                state.tokens_to_process = state.remaining_prefill_tokens[:token_budget]
                del state.remaining_prefill_tokens[:token_budget]
            if not state.tokens_to_process:
                continue
            token_budget -= len(state.tokens_to_process)
            batch.append(FutureRequestState(state, not state.remaining_prefill_tokens))
            if not token_budget:
                break
        return batch, False, 0, pages


class ContinuousBatchProcessor:
    def __init__(self, input_queue, use_async_batching):
        self.input_queue, self.use_async_batching = input_queue, use_async_batching
        self.scheduler, self.batches, self.outputs = FIFOScheduler(), [], {}

    def prepare_next_batch(self):
        while not self.input_queue.empty():
            self.scheduler.add_waiting_request(self.input_queue.get())
        batch = self.scheduler.schedule_batch(FIFOScheduler.BUDGET, 8)[0]
        if not batch:
            return False
        self.batches.append(batch)
        for item in batch:
            item.state.position_offset += len(item.state.tokens_to_process)
            item.length = len(item.state.tokens_to_process)
            item.state.tokens_to_process = []
            if item.has_new_token:
                item.state.generated_tokens.append(7)
                if len(item.state.generated_tokens) < item.state.max_new_tokens:
                    item.state.tokens_to_process = [7]
        return True

    def _generation_step(self, model):
        launch(sum(item.length for item in self.batches[-1]))

    def update_batch(self):
        for item in self.batches.pop(0):
            state = item.state
            if item.has_new_token and len(state.generated_tokens) == state.max_new_tokens:
                self.scheduler.active_requests.pop(state.request_id, None)
                self.outputs[state.request_id] = state.generated_tokens

    def has_pending_requests(self):
        return bool(self.batches or self.scheduler.active_requests or not self.input_queue.empty())


class ContinuousBatchingManager:
    def __init__(self, use_async_batching=False):
        self.input_queue = queue.Queue()
        self.batch_processor = ContinuousBatchProcessor(self.input_queue, use_async_batching)
        self.counter = 0

    def add_request(self, input_ids, request_id=None, max_new_tokens=20):
        if request_id is None:
            request_id = f"req_{self.counter}"
            self.counter += 1
        self.input_queue.put(RequestState(request_id, list(input_ids), max_new_tokens))
        return request_id

    def run(self):
        """In a thread of its own, until all is answered."""
        thread = threading.Thread(target=self._run_generation_loop)
        thread.start()
        thread.join()
        return self.batch_processor.outputs

    def _run_generation_loop(self):
        processor = self.batch_processor
        overlaps = 1 if processor.use_async_batching else 0
        RequestState("warm-up", [0])  # which no one has asked for
        while processor.has_pending_requests():
            if processor.prepare_next_batch():
                processor._generation_step(None)
            if len(processor.batches) > overlaps or not processor.scheduler.active_requests or not any(
                    state.tokens_to_process or state.remaining_prefill_tokens
                    for state in processor.scheduler.active_requests.values()):
                processor.update_batch()
