# SPDX-License-Identifier: MIT
"""Naming the parts of a program, so that pwrtrace can say how many joules each of them cost.

    import pwrtrace

    with pwrtrace.layer("attention"):
        ...                             # what is launched here belongs to "attention"

    @pwrtrace.layer("evaluation")       # likewise around each call
    def evaluate(): ...

    pwrtrace.mark("tokens", 128, "token")

Without pwrtrace, all of this does nothing.  A layer belongs to the thread that opened it.
"""
import contextlib
import ctypes

__all__ = ["layer", "mark"]


class _Api(ctypes.Structure):
    """struct pwrtrace_api of pwrtrace/pwrtrace.h."""
    _fields_ = [("push", ctypes.PYFUNCTYPE(None, ctypes.c_char_p)),
                ("pop", ctypes.PYFUNCTYPE(None)),
                ("mark", ctypes.CFUNCTYPE(
                    None, ctypes.c_char_p, ctypes.c_double, ctypes.c_char_p))]


try:
    _api = _Api.in_dll(ctypes.CDLL(None), "pwrtrace_api_1")
    _push, _pop, _mark = _api.push, _api.pop, _api.mark
except ValueError:
    def _nothing(*_):
        pass

    _push = _pop = _mark = _nothing


class layer(contextlib.ContextDecorator):
    """A layer that is open within a with statement, or during each call of a function."""

    def __init__(self, name):
        self._name = name.encode(errors="surrogateescape")

    def __enter__(self):
        _push(self._name)
        return self

    def __exit__(self, *_):
        _pop()


def mark(name, value=1, unit=""):
    """Says that something happened now: how much of it, in which unit."""
    _mark(name.encode(errors="surrogateescape"), value, unit.encode())
