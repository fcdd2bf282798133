# SPDX-License-Identifier: MIT
"""A compiled loop in JAX; count_records.so counts its kernels."""
import jax

from client import skip

STEPS = 50


@jax.jit
def step(x, weights):
    return jax.numpy.tanh(x @ weights)


def main():
    if jax.default_backend() != "gpu":
        skip("jax sees no GPU")
    keys = jax.random.split(jax.random.key(1))
    x = jax.random.normal(keys[0], (512, 512))
    weights = jax.random.normal(keys[1], (512, 512)) / 32
    for _ in range(STEPS):
        x = step(x, weights)
    assert bool(jax.numpy.isfinite(x).all())
    print(f"{STEPS} steps")


main()
