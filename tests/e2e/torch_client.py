#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Modules of PyTorch that launch kernels on the simulated GPU, in both directions.

usage: torch_client.py CASE...        each a function below

Prints "layer kernels=N copies=0 path=A/B" as the clients in C do, and what the modules computed.
"""
import ctypes
import sys
import threading

import torch

cuda = ctypes.CDLL("libcuda.so.1")
expected = {}


def open_device():
    context, module, function = (ctypes.c_void_p() for _ in range(3))
    cuda.cuInit(0)
    cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    cuda.cuCtxSetCurrent(context)
    cuda.cuModuleLoadData(ctypes.byref(module), b"")
    cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z5shortILm2000EEvv")
    return context, function


context, kernel = open_device()


def launch(count, path):
    """Launches kernels that must be found in the layer path."""
    cuda.cuCtxSetCurrent(context)
    for _ in range(count):
        cuda.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, None, None)
    expected[path] = expected.get(path, 0) + count


class Launch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, path, base):
        ctx.path = path
        launch(2, f"{base}forward/{path}")
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        launch(3, f"{Launch.base}backward/{ctx.path}")
        return gradient * 2, None, None

    base = ""


class Leaf(torch.nn.Module):
    """path: where it is, as the layers must say."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Launch.apply(self.linear(x), self.path, Launch.base)


class Block(torch.nn.Module):
    def __init__(self, path, name):
        super().__init__()
        self.path = f"{path}/{name}"
        self.self_attn = Leaf(f"{self.path}/{name}.self_attn")
        self.mlp = Leaf(f"{self.path}/{name}.mlp")

    def forward(self, x):
        y = self.self_attn(x)
        y = Launch.apply(torch.relu(y), self.path, Launch.base)  # between two modules
        return x + self.mlp(y)


class Encoder(torch.nn.Module):
    def __init__(self, path, name):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            Block(f"{path}/{name}", f"{name}.layers.{i}") for i in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Model(torch.nn.Module):
    def __init__(self, path="Model"):
        super().__init__()
        self.path = path
        self.encoder = Encoder(path, "encoder")
        self.head = Leaf(f"{path}/head")

    def forward(self, x):
        return self.head(Launch.apply(self.encoder(x), self.path, Launch.base))


class Descent(torch.optim.SGD):
    def step(self, *args, **kwargs):
        launch(4, f"{Launch.base}optimizer/Descent")
        return super().step(*args, **kwargs)


def train(model=None, steps=3, run=lambda function: function()):
    model = model or Model()
    optimizer = Descent(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (model(torch.ones(2, 4)) - 1).square().mean()
        launch(1, Launch.base.rstrip("/"))
        run(loss.backward)
        launch(1, Launch.base.rstrip("/"))
        optimizer.step()
    print(f"loss {loss.item():.6f}")


def inference():
    model = Model()
    for mode in torch.no_grad, torch.inference_mode:
        with mode():
            print(f"sum {model(torch.ones(2, 4)).sum().item():.6f}")


def backward_in_a_thread():
    """As autograd's own: where no layer is open."""
    def in_thread(function):
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()

    train(run=in_thread)


def gradient():
    model = Model()
    x = torch.ones(2, 4, requires_grad=True)
    print(f"gradient {torch.autograd.grad(model(x).sum(), x)[0].sum().item():.6f}")


def forward_in_a_thread():
    """Nodes are numbered by the thread that makes them, which need not live until the backward pass."""
    model = Model()
    out = []
    for _ in range(3):
        thread = threading.Thread(target=lambda: out.append(model(torch.ones(2, 4))))
        thread.start()
        thread.join()
    (model(torch.ones(2, 4)) + sum(out)).sum().backward()


def second_order():
    """A backward pass through what a backward pass made."""
    class Slope(torch.autograd.Function):
        @staticmethod
        def forward(ctx, gradient):
            launch(1, "backward/Penalized/inner")
            return gradient * 2

        @staticmethod
        def backward(ctx, gradient):
            launch(4, "backward/Penalized/inner")
            return gradient * 2

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, gradient):
            return Slope.apply(gradient) * ctx.saved_tensors[0]

    class Inner(torch.nn.Module):
        def forward(self, x):
            return Square.apply(x)

    class Penalized(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x * 3).square()

    x = torch.ones(2, 4, requires_grad=True)
    gradient, = torch.autograd.grad(Penalized()(x).sum(), x, create_graph=True)
    gradient.square().sum().backward()
    print(f"gradient {x.grad.sum().item():.6f}")


def raising_backward():
    """An error goes through the backward pass as it does without us, and leaves nothing open."""
    class Raising(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            launch(1, "backward/Failing")
            raise ValueError("as it should be")

    class Failing(torch.nn.Module):
        def forward(self, x):
            return Raising.apply(x)

    try:
        torch.ones(2, 4).sum().backward()
    except RuntimeError as error:
        print(error)
    for _ in range(2):
        try:
            Failing()(torch.ones(2, 4, requires_grad=True)).sum().backward()
        except ValueError as error:
            print(error)
        launch(1, "")


def raising():
    """A module that raises leaves nothing open."""
    class Raising(torch.nn.Module):
        def forward(self, x):
            launch(1, "forward/Sequential/1")
            raise ValueError("as it should be")

    model = torch.nn.Sequential(torch.nn.Linear(4, 4), Raising())
    try:
        model(torch.ones(2, 4))
    except ValueError as error:
        print(error)
    launch(1, "")


def replicas():
    """As DataParallel does it: copies that live for one call, in threads."""
    model = Model()
    model(torch.ones(2, 4))

    def call(replica):
        with torch.no_grad():
            replica(torch.ones(2, 4))

    def replica_of(module):
        replica = module._replicate_for_data_parallel()
        for name, parameter in module._parameters.items():
            setattr(replica, name, parameter.detach())
        for name, child in module._modules.items():
            replica._modules[name] = replica_of(child)
        return replica

    for _ in range(3):
        threads = [threading.Thread(target=call, args=(replica_of(model),)) for _ in range(2)]
        for thread in threads:
            thread.start()
            thread.join()


class FullyShardedDataParallel(torch.nn.Module):
    """What matters of it: it holds the module, and adds nothing to its path."""

    def __init__(self, module):
        super().__init__()
        self._fsdp_wrapped_module = module

    def forward(self, *args):
        return self._fsdp_wrapped_module(*args)


def wrapped():
    inside = "FullyShardedDataParallel/Model"
    model = Model(inside)
    path = f"{inside}/encoder/FullyShardedDataParallel"
    model.encoder.layers[1] = FullyShardedDataParallel(Block(path, "encoder.layers.1"))
    train(FullyShardedDataParallel(model))


def checkpointed():
    """Layers that are computed again in the backward pass."""
    from torch.utils.checkpoint import checkpoint

    class Again(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            again = torch.is_grad_enabled()
            launch(1, "backward/Checkpointed/inner/inner.0" if seen else
                   "forward/Checkpointed/inner/inner.0")
            seen.append(again)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            launch(5, "backward/Checkpointed/inner/inner.0")
            return grad * 2

    class Inner(torch.nn.Module):
        def forward(self, x):
            return Again.apply(x)

    class Checkpointed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Sequential(Inner(), torch.nn.Linear(4, 4))

        def forward(self, x):
            return checkpoint(self.inner, x)

    seen = []
    Checkpointed()(torch.ones(2, 4, requires_grad=True)).sum().backward()
    launch(1, "")


def reused():
    """Modules that come and go must not inherit names of others."""
    for width in range(30):
        model = torch.nn.Sequential(Leaf("Sequential/0"))
        with torch.no_grad():
            model(torch.ones(1, 4))
        del model
        with torch.no_grad():
            Leaf("Leaf")(torch.ones(1, 4))


def generation():
    class Generator(torch.nn.Module):
        def forward(self, input_ids, past_key_values=None):
            tokens = input_ids.shape[1]
            launch(tokens, ("decode" if tokens == 1 else "prefill") + "/Generator")
            return input_ids

    model = Generator()
    with torch.inference_mode():
        model(torch.ones(2, 7), past_key_values=[])
        for _ in range(5):
            model(input_ids=torch.ones(2, 1), past_key_values=[])


def within():
    """Below what the program names itself, and the other way round."""
    import pwrtrace

    @pwrtrace.layer("of the program")
    def step():
        Launch.base = "of the program/"
        train(steps=2)
        Launch.base = ""

    step()

    class Inner(torch.nn.Module):
        def forward(self, x):
            with pwrtrace.layer("a part"):
                launch(1, "forward/Inner/a part")
            launch(1, "forward/Inner")
            return x

    Inner()(torch.ones(1))
    with pwrtrace.layer("a/slash; and\nmore"):
        pwrtrace.mark("tokens", 3, "token")


def compiled():
    """PyTorch's tracer, which this stands for, sees through functions of Python's only."""
    import importlib
    import tempfile
    import types

    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/_dynamo.py", "w", encoding="utf-8") as file:
            file.write("def optimize(model):\n    return model\n")
        torch.__path__.append(folder)
        tracer = importlib.import_module("torch._dynamo")
    inference()
    model = tracer.optimize(Model())
    print(isinstance(torch.nn.Module.__call__, types.FunctionType))
    print(f"sum {model(torch.ones(2, 4)).sum().item():.6f}")


def patched():
    """The program replaces the call of modules for a while, as torch.fx does, and puts it back."""
    own, seen = torch.nn.Module.__call__, []

    def call(self, *args, **kwargs):
        seen.append(type(self).__name__)
        return own(self, *args, **kwargs)

    torch.nn.Module.__call__ = call
    inference()
    torch.nn.Module.__call__ = own
    print(seen, torch.nn.Module.__call__ is own)
    inference()


def saved():
    """What we know of a module is not part of it."""
    import copy
    import pickle

    model = Model()
    out = model(torch.ones(2, 4))
    again = pickle.loads(pickle.dumps(copy.deepcopy(model)))
    print(sorted(again.__dict__) == sorted(model.__dict__), sorted(model.__dict__))
    print(out.requires_grad, model._forward_hooks, model._backward_hooks)
    print(torch.jit.trace(model.head.linear, torch.ones(2, 4))(torch.ones(2, 4)).shape)


def main():
    for case in sys.argv[1:]:
        torch.manual_seed(1)
        globals()[case]()
    cuda.cuCtxSynchronize()
    for path, count in expected.items():
        print(f"layer kernels={count} copies=0 path={path}")
    print(f"kernels={sum(expected.values())}")


main()
