# SPDX-License-Identifier: MIT
"""The version is that of the Makefile; all else is in pyproject.toml."""
import pathlib
import re

from setuptools import setup

makefile = pathlib.Path(__file__).resolve().parents[4] / "Makefile"
setup(version=re.search(r"^VERSION := (\S+)$", makefile.read_text(), re.MULTILINE).group(1))
