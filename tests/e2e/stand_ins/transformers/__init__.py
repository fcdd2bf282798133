"""Stands in for Hugging Face's transformers: what the adapter for continuous batching meets in it, under the
same names.  A server launches on the simulated GPU."""
__version__ = "0.stand-in"
