from dataclasses import dataclass, field


@dataclass
class RequestState:
    request_id: str
    initial_tokens: list
    max_new_tokens: int = 20
    tokens_to_process: list = field(default_factory=list)
    generated_tokens: list = field(default_factory=list)
    remaining_prefill_tokens: list = field(default_factory=list)
    position_offset: int = 0

    def __post_init__(self):
        self.remaining_prefill_tokens = self.initial_tokens[:]


class FutureRequestState:
    """A request, with what a step is going to process of it."""

    def __init__(self, state, has_new_token):
        self.state, self.has_new_token = state, has_new_token
