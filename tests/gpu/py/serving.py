# SPDX-License-Identifier: MIT
"""A Hugging Face Llama, with weights made up here, that answers requests which it batches continuously.  Prints
request:NAME=IN OUT for each, its tokens."""
from client import print_counts, skip, torch_on_gpu

torch = torch_on_gpu()
try:
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM
except ImportError:
    skip("transformers is not installed")

PROMPTS, TOKENS = (700, 30, 31, 250, 32), 40


def main():
    torch.manual_seed(1)
    config = LlamaConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=8, num_attention_heads=16,
                         num_key_value_heads=4, vocab_size=32000, max_position_embeddings=2048)
    model = LlamaForCausalLM(config).to("cuda", torch.bfloat16).eval()
    if not hasattr(model, "generate_batch"):
        skip("these transformers do not batch continuously")
    # Prompts that begin alike would share what the cache has.
    inputs = [torch.randint(1000 * i, 1000 * i + 1000, (length,)).tolist() for i, length in enumerate(PROMPTS)]
    settings = GenerationConfig(max_new_tokens=TOKENS, eos_token_id=-1, pad_token_id=0, do_sample=False)
    outputs = model.generate_batch(inputs=inputs, generation_config=settings, progress_bar=False)
    for name in sorted(outputs):
        output = outputs[name]
        print(f"request:{name}={len(output.prompt_ids)} {len(output.generated_tokens)}")
    torch.cuda.synchronize()
    print_counts(devices=1)


main()
