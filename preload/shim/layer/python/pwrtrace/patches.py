# SPDX-License-Identifier: MIT
"""Patching modules once they are imported.  preload/shim/layer/python.c runs this, and then, in the same
namespace, the file of a source of layers (torch_layers.py, transformers_requests.py), which sets

  subject            what makes layers or marks, for the line that says that it no longer does
  waiting            by the name of a module, the function that patches it once it has run

and calls install(version).  Both call functions of python.c that are in this namespace, of which say(line)
is needed here.

What fails here leaves the program alone: all patches are taken back, and one line says so.
"""
import functools
import sys
import types

undo = []  # what takes our patches back
waiting = {}
version = None


def give_up(why):
    for restore in reversed(undo):
        restore()
    if undo or waiting:
        say(f"{subject} from here on: {why}".encode())
    undo.clear()
    waiting.clear()


def unexpected(error):
    return f"{version} is not as expected ({type(error).__name__}: {error})"


def guarded(function):
    """What is called within the program's own calls must not raise there."""
    def call(*args):
        try:
            return function(*args)
        except Exception as error:  # whatever it is, it is not the program's
            give_up(unexpected(error))
            return None
    return call


def replace(owner, name, make):
    """Puts make(original) in the place of owner's attribute; what wraps a function has its names."""
    original = getattr(owner, name)
    wrapper = make(original)
    if isinstance(wrapper, types.FunctionType):
        wrapper = functools.wraps(original)(wrapper)
        del wrapper.__wrapped__
    setattr(owner, name, wrapper)
    undo.append(lambda: setattr(owner, name, original))


def patch(name, module):
    try:
        waiting.pop(name)(module)
    except Exception as error:  # whatever it is, it is not the program's
        give_up(unexpected(error))


def patch_imported():
    """Patches what has been imported already.  A module that has not run to its end yet, since it is the one
    that imports us, is met again here with the next import of any other."""
    for name in list(waiting):
        module = sys.modules.get(name)
        if module and not getattr(module.__spec__, "_initializing", False):
            patch(name, module)


class Finder:
    """Finds what others find, and patches it once it has run."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        patch_imported()
        if name not in waiting:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not Finder else None
            if spec is not None:
                Finder.watch_loader(name, spec.loader)
                return spec
        return None

    @staticmethod
    def watch_loader(name, loader):
        exec_module = loader.exec_module

        def exec_and_patch(module):
            exec_module(module)
            if name in waiting:
                patch(name, module)
            if not waiting and Finder in sys.meta_path:
                sys.meta_path.remove(Finder)

        loader.exec_module = exec_and_patch


def install(what):
    """what: the package and its version, for messages."""
    global version
    version = what
    patch_imported()
    if waiting:
        sys.meta_path.insert(0, Finder)
