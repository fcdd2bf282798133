# SPDX-License-Identifier: MIT
"""A Hugging Face model that generates, with weights made up here; count_records.so counts its kernels.

usage: generate.py [--times N]
"""
import argparse
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"  # the same sums each time

from client import print_counts, torch_on_gpu

torch = torch_on_gpu()
from transformers import LlamaConfig, LlamaForCausalLM

BATCH, PROMPT, TOKENS = 16, 32, 128


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2)
    options = parser.parse_args()
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(1)
    config = LlamaConfig(hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                         num_key_value_heads=8, vocab_size=32000, max_position_embeddings=512)
    model = LlamaForCausalLM(config).to("cuda", torch.bfloat16).eval()
    prompt = torch.randint(0, config.vocab_size, (BATCH, PROMPT), device="cuda")
    for _ in range(options.times):
        tokens = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=TOKENS,
                                min_new_tokens=TOKENS, do_sample=False, pad_token_id=0)
    print(f"tokens: {tokens.sum().item()}")
    print_counts(graphs=0)


main()
