# SPDX-License-Identifier: MIT
"""What the built-in module pwrtrace runs: it gives way to the package that the program finds on its own
path, or else to the one beside this file, beside which nothing is written."""
import importlib.machinery
import importlib.util
import os
import sys


class _Loader(importlib.machinery.SourceFileLoader):
    def set_data(self, *_, **__):
        pass


_others = (finder.find_spec(__name__, None) for finder in sys.meta_path
           if finder is not importlib.machinery.BuiltinImporter and hasattr(finder, "find_spec"))
_spec = next((spec for spec in _others if spec and spec.loader), None)
if not _spec:
    _path = os.path.join(os.path.dirname(__file__), "__init__.py")
    _spec = importlib.util.spec_from_file_location(__name__, _path, loader=_Loader(__name__, _path))
_module = sys.modules[__name__] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
