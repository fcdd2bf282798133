# SPDX-License-Identifier: MIT
"""Names the modules of PyTorch as layers.  preload/shim/layer/python.c runs this behind patches.py while torch
is imported, with functions of its own in this namespace:

  module_call(class, known, other)  a method of a class that calls the function known in the layer of
                     its module; or other, where enter_named has not yet opened that there, or the
                     thread is in none of PyTorch's layers
  enter_named(module, name)  opens the layer of a module in the calling thread, by its name; 0, and
                     opens nothing, where that is in none of PyTorch's layers
  forget_modules()   to be called where a module is gone or has another name
  begin(name)        opens the outermost one: a phase
  leave()            closes the last one
  inside()           whether there is one
  begin_backward()   opens the backward phase; end_backward() closes it
  check_backward()   says once if a pass went by and was not seen
  mark(name, value, unit), say(line)

A module's layer is opened around its call, which is patched in torch.nn.Module itself: hooks of
modules would be seen by the program, cost more, and stay open where a call raises.  The backward pass
needs nothing of each module: torch.c sees autograd evaluate its nodes, and knows in which layer each
was made.
"""
import importlib
import sys
import weakref

OLDEST, TOO_NEW = (1, 13), (3, 0)  # of what torch.c expects of autograd's nodes

# Attributes in which wrappers hold what they wrap; paths are as if they were not there.
TRANSPARENT = {"_fsdp_wrapped_module", "_fpw_module", "_orig_mod", "_checkpoint_wrapped_module"}
HOLDING_MODULE = {"DataParallel", "DistributedDataParallel"}
WRAPPERS = HOLDING_MODULE | {"FullyShardedDataParallel", "OptimizedModule", "CheckpointWrapper"}
RENAMINGS_MAX = 32

names = {}  # id of a module: its layer's name
alive = {}  # id of a module: a weak reference, so that ids can be used again
roots = {}  # the same of those that the program called itself
renamings = 0


# --- what traces ------------------------------------------------------------------------------------
#
# While torch.compile traces there is nothing to name.  Its tracer follows functions of Python's, and would
# look for a global of this file by importing it.  So all that it meets in one of ours is in the closure, and
# from its first use on is PyTorch's own function, which it knows.

at_first_trace = []  # functions that are called then


def never():
    return False


tracing = never


def exporting():
    """Whether torch.export traces, which runs the program to do so: its modules are not named either."""
    compiler = getattr(sys.modules["torch"], "compiler", None)
    return getattr(compiler, "is_compiling", never)()


def begin_to_trace():
    """Called where PyTorch's tracer is used."""
    global tracing
    compiler = getattr(sys.modules["torch"], "compiler", None)
    tracing = getattr(compiler, "is_dynamo_compiling", None) or getattr(compiler, "is_compiling", never)
    for change in at_first_trace:
        change()
    at_first_trace.clear()


def unless_traced(original, ours):
    """A function that calls ours, or original while torch.compile traces."""
    traces = tracing

    def change():
        nonlocal traces
        traces = tracing

    def call(*args, **kwargs):
        return original(*args, **kwargs) if traces() else ours(*args, **kwargs)

    at_first_trace.append(change)
    return call


# --- names ------------------------------------------------------------------------------------------


def give_name(module, name):
    key = id(module)
    names[key] = name
    forget_modules()
    if key not in alive:
        alive[key] = weakref.ref(module, lambda _: forget(key))


def forget(key):
    forget_modules()
    for table in (names, alive, roots):
        table.pop(key, None)


def name_all(root):
    """By their paths in root; root itself, and what wraps others, by its class."""
    holds_module = type(root).__name__ in HOLDING_MODULE
    for path, module in root.named_modules():
        kind = type(module).__name__
        parts = [part for part in path.split(".") if part not in TRANSPARENT]
        if holds_module and parts[0] == "module":
            del parts[0]
        name = kind if kind in WRAPPERS else ".".join(parts) or kind
        give_name(module, name.encode())


@guarded
def find_name(module):
    """The name of a module that has none yet."""
    global renamings
    key = id(module)
    if not inside():
        name_all(module)
        roots[key] = alive[key]
    elif renamings < RENAMINGS_MAX:  # it has come to a model that was named before
        renamings += 1
        for root in [reference() for reference in roots.values()]:
            if root is not None:
                name_all(root)
    if key not in names:
        give_name(module, type(module).__name__.encode())
    return names[key]


# --- forward ----------------------------------------------------------------------------------------


@guarded
def phase_of(args, kwargs):
    """With a cache of keys and values a call generates: all of a prompt, or the next token of each.  With
    it come the sequences of the batch, and the tokens of the prompts, padding included."""
    if kwargs.get("past_key_values") is not None or kwargs.get("use_cache"):
        tokens = kwargs.get("input_ids", kwargs.get("inputs_embeds", args[0] if args else None))
        if isinstance(tokens, Tensor) and tokens.dim() > 1:
            batch, length = tokens.shape[:2]
            return (b"decode", batch, 0) if length == 1 else (b"prefill", batch, batch * length)
    return b"forward", 0, 0


def call_outermost(call, module, args, kwargs):
    """Marks within the phase, so that they count its own work."""
    phase, tokens, input_tokens = phase_of(args, kwargs) or (b"forward", 0, 0)
    begin(phase)
    try:
        return call(module, *args, **kwargs)
    finally:
        if input_tokens:
            mark(b"input tokens", input_tokens, b"input token")
        if tokens:
            mark(b"tokens", tokens, b"token")
        leave()
        if not tokens and not grad_enabled():
            mark(b"inference", 1, b"inference")


def patch_modules(torch_module):
    def make_call(original):
        def call(self, *args, **kwargs):
            if not enter_named(self, names.get(id(self)) or find_name(self) or b"Module"):
                return (original(self, *args, **kwargs) if exporting() else
                        call_outermost(call, self, args, kwargs))
            try:
                return original(self, *args, **kwargs)
            finally:
                leave()
        if not isinstance(original, types.FunctionType):
            raise TypeError("the call of a module is no function")
        in_c = module_call(torch_module.Module, original, call)

        def change():
            if torch_module.Module.__call__ is in_c:
                torch_module.Module.__call__ = unless_traced(original, in_c)

        at_first_trace.append(change)
        return in_c

    def make_replica(original):
        def replicate(self):
            replica = original(self)
            if id(self) in names:
                give_name(replica, names[id(self)])
            return replica
        return replicate

    global Tensor, grad_enabled
    torch = sys.modules["torch"]
    Tensor, grad_enabled = torch.Tensor, torch.is_grad_enabled
    replace(torch_module.Module, "__call__", make_call)
    replace(torch_module.Module, "_replicate_for_data_parallel", make_replica)


def patch_tracer(dynamo):
    """The tracer of torch.compile sees through functions of Python's only, not through those of C."""
    def make(original):
        def run(*args, **kwargs):
            begin_to_trace()
            return original(*args, **kwargs)
        return run

    for name in "optimize", "optimize_assert", "export":
        if hasattr(dynamo, name):
            replace(dynamo, name, make)


# --- backward ---------------------------------------------------------------------------------------


def patch_autograd(autograd):
    def make(original):
        def run(*args, **kwargs):
            begin_backward()
            try:
                result = original(*args, **kwargs)
                check_backward()
                return result
            finally:
                end_backward()

        return unless_traced(original, run)

    replace(autograd, "backward", make)
    replace(autograd, "grad", make)


# --- optimizers -------------------------------------------------------------------------------------

stepping = set()  # ids of optimizers: one may call its base's step


def make_step(original):
    def step(self, *args, **kwargs):
        if id(self) in stepping:
            return original(self, *args, **kwargs)
        stepping.add(id(self))
        begin(b"optimizer")
        begin(type(self).__name__.encode())
        try:
            return original(self, *args, **kwargs)
        finally:
            leave()
            leave()
            stepping.discard(id(self))
            mark(b"iteration", 1, b"iteration")

    patched = unless_traced(original, step)
    patched.names_layers = True
    return patched


def patch_optimizers(optimizer):
    def make_init(original):
        def init(self, *args, **kwargs):
            original(self, *args, **kwargs)
            if undo and not getattr(type(self).step, "names_layers", False):
                replace(type(self), "step", make_step)
        return init

    replace(optimizer.Optimizer, "__init__", make_init)


# --- while torch is imported ------------------------------------------------------------------------

subject = "the modules of PyTorch make no layers"
waiting.update({
    "torch._dynamo": patch_tracer,
    "torch.autograd": patch_autograd,
    "torch.nn.modules.module": patch_modules,
    "torch.optim.optimizer": patch_optimizers,
})

number = importlib.import_module("torch.version").__version__
if OLDEST <= tuple(int(part) for part in number.split(".")[:2]) < TOO_NEW:
    install(f"PyTorch {number}")
else:
    give_up(f"PyTorch {number} is too old or too new for that")
