"""Stands in for PyTorch where only its import is of interest: it looks for the extension module torch._C."""
import importlib.machinery
import importlib.util
import os


def load_extension():
    library = os.path.join(os.environ["LD_LIBRARY_PATH"].split(":")[0], "libcuda.so.1")
    loader = importlib.machinery.ExtensionFileLoader("torch._C", library)
    try:
        importlib.util.module_from_spec(importlib.util.spec_from_loader("torch._C", loader))
    except ImportError:
        pass  # the library has no such entry point, and need not have it


load_extension()
