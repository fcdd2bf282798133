# SPDX-License-Identifier: MIT
"""The transformer of the tests and the bench: six layers, 1024 wide, the same numbers each time."""
from client import torch_on_gpu

torch = torch_on_gpu()

LAYERS, WIDTH, HEADS = 6, 1024, 16
BATCH, TOKENS = 8, 128


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = torch.nn.LayerNorm(WIDTH)
        self.norm2 = torch.nn.LayerNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.out = torch.nn.Linear(WIDTH, WIDTH)
        self.up = torch.nn.Linear(WIDTH, 4 * WIDTH)
        self.down = torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        batch, tokens, _ = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, tokens, 3, HEADS, WIDTH // HEADS)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        attended = torch.nn.functional.scaled_dot_product_attention(query, key, value)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, tokens, WIDTH))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))


def make(batch=BATCH, tokens=TOKENS):
    """The model and an input for it, in bf16 on the GPU."""
    torch.manual_seed(1)
    model = torch.nn.Sequential(*(Block() for _ in range(LAYERS)))
    model = model.to("cuda", torch.bfloat16)
    x = torch.randn(batch, tokens, WIDTH).to("cuda", torch.bfloat16)
    return model, x


def make_train_step(model, x):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = (model(x) - x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return step


def make_inference(model, x):
    def infer():
        with torch.inference_mode():
            return model(x)

    return infer


def make_graph(model, x):
    """A captured inference; call the result to replay it."""
    infer = make_inference(model.eval(), x)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            infer()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        infer()
    return graph.replay
