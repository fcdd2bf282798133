# SPDX-License-Identifier: MIT
"""Modules as layers: layers.py CASE..., each a function below.

Every module is launched from at least so often as "within:PATH=N" says; at most so many kernels and
copies, "outside=N", belong to no layer.
"""
import sys

from client import print_counts
import model as transformer

torch = transformer.torch
STEPS = 10
MATRICES = ("qkv", "out", "up", "down")
outside = 0


def within(path, count):
    print(f"within:{path}={count}", flush=True)


def expect_blocks(phase, root, kernels, steps=STEPS, prefix=""):
    for block in range(transformer.LAYERS):
        for name in MATRICES:
            within(f"{phase}/{root}/{prefix}{block}/{block}.{name}", kernels * steps)


def training(model, x, steps=STEPS):
    """What is in no layer: the loss, and what is made before."""
    global outside
    step = transformer.make_train_step(model, x)
    for _ in range(steps):
        loss = step()
    torch.cuda.synchronize()
    assert torch.isfinite(loss)
    within("optimizer/AdamW", steps)
    outside += 20 * steps + 200


def train():
    training(*transformer.make())
    expect_blocks("forward", "Sequential", 1)
    # By the weight and by the input.
    expect_blocks("backward", "Sequential", 2)


def infer():
    global outside
    model, x = transformer.make()
    step = transformer.make_inference(model.eval(), x)
    for _ in range(STEPS):
        step()
    torch.cuda.synchronize()
    expect_blocks("forward", "Sequential", 1)
    outside += 200


def parallel():
    """DataParallel, on as many GPUs as there are; of a step, at least one replica's modules."""
    model, x = transformer.make()
    training(torch.nn.DataParallel(model), x)
    root = "DataParallel/Sequential" if torch.cuda.device_count() == 1 else "Sequential"
    within("backward", 2 * STEPS)
    if torch.cuda.device_count() == 1:
        expect_blocks("forward", root, 1)


def fsdp():
    import tempfile

    from torch.distributed.fsdp import FullyShardedDataParallel

    with tempfile.TemporaryDirectory() as folder:
        torch.distributed.init_process_group(
            "nccl", init_method=f"file://{folder}/meet", rank=0, world_size=1)
        model, x = transformer.make()
        for block in range(transformer.LAYERS):
            model[block] = FullyShardedDataParallel(model[block])
        training(FullyShardedDataParallel(model), x)
        torch.distributed.destroy_process_group()
    wrapper = "FullyShardedDataParallel"
    expect_blocks("forward", f"{wrapper}/Sequential", 1, prefix=f"{wrapper}/")
    expect_blocks("backward", f"{wrapper}/Sequential", 2, prefix=f"{wrapper}/")


def compile():
    """Inductor's kernels belong to the compiled module as a whole."""
    model, x = transformer.make()
    training(torch.compile(model), x)
    within("forward", STEPS)
    within("backward", STEPS)


def compiled_step():
    """A step that is compiled as a whole, so that the tracer comes to the backward pass and the optimizer: it
    runs the same kernels as it does without pwrtrace."""
    global outside
    model, x = transformer.make()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    @torch.compile
    def step():
        loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = step()
    torch.cuda.synchronize()
    assert torch.isfinite(loss)
    outside += 10**6


def graph():
    """Kernels of a replayed graph belong to the modules in which they were captured."""
    global outside
    replay = transformer.make_graph(*transformer.make())
    for _ in range(STEPS):
        replay()
    torch.cuda.synchronize()
    # Three times before the capture.
    expect_blocks("forward", "Sequential", 1, STEPS + 3)
    print(f"graphs={STEPS}")
    outside += 200


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(transformer.WIDTH, 3 * transformer.WIDTH)
        self.out = torch.nn.Linear(transformer.WIDTH, transformer.WIDTH)

    def forward(self, x, cache):
        query, key, value = self.qkv(x).chunk(3, dim=-1)
        if cache:
            key, value = torch.cat((cache[0], key), 1), torch.cat((cache[1], value), 1)
        cache[:] = key, value
        return x + self.out(torch.nn.functional.scaled_dot_product_attention(query, key, value))


class Generator(torch.nn.Module):
    """With the arguments that transformers of Hugging Face have."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(256, transformer.WIDTH)
        self.layers = torch.nn.ModuleList(Attention() for _ in range(4))
        self.head = torch.nn.Linear(transformer.WIDTH, 256)

    def forward(self, input_ids, past_key_values=None):
        x = self.embed(input_ids)
        for layer, cache in zip(self.layers, past_key_values):
            x = layer(x, cache)
        return self.head(x)[:, -1:].argmax(-1)


def generate():
    global outside
    prompts, tokens = 3, 20
    model = Generator().to("cuda", torch.bfloat16).eval()
    with torch.inference_mode():
        for _ in range(prompts):
            cache = [[] for _ in model.layers]
            ids = torch.ones((2, 50), dtype=torch.long, device="cuda")
            for _ in range(tokens):
                ids = model(input_ids=ids, past_key_values=cache)
    torch.cuda.synchronize()
    for phase, calls in ("prefill", prompts), ("decode", prompts * (tokens - 1)):
        for layer in range(4):
            within(f"{phase}/Generator/layers.{layer}/layers.{layer}.qkv", calls)
        within(f"{phase}/Generator/head", calls)
    outside += 100


def nvtx():
    """Operators, by emit_nvtx: the number of each call is no part of a name."""
    global outside
    x = torch.ones(1 << 16, device="cuda", requires_grad=True)
    with torch.autograd.profiler.emit_nvtx():
        for _ in range(STEPS):
            (x * x).sum().backward()
    torch.cuda.synchronize()
    within("aten::mul", STEPS)
    within("aten::sum", STEPS)
    within("autograd::engine::evaluate_function: MulBackward0", STEPS)
    outside += 20


def main():
    torch.manual_seed(1)
    cases = sys.argv[1:]
    for case in cases:
        globals()[case]()
    print_counts(outside=outside)


main()
