# SPDX-License-Identifier: MIT
"""A Hugging Face Llama of 16 layers that generates, with weights made up here: the GPU waits for its launches."""
from client import skip, torch_on_gpu

torch = torch_on_gpu()
try:
    from transformers import LlamaConfig, LlamaForCausalLM
except ImportError:
    skip("transformers is not installed")

BATCH, PROMPT, TOKENS = 16, 32, 65


def make_generation(tokens=TOKENS):
    """A function that generates so many tokens, through about 215 modules each."""
    torch.manual_seed(1)
    config = LlamaConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=16, num_attention_heads=16,
                         num_key_value_heads=4, vocab_size=32000, max_position_embeddings=512)
    with torch.device("cuda"):
        model = LlamaForCausalLM(config).to(torch.bfloat16).eval()
    prompt = torch.randint(0, config.vocab_size, (BATCH, PROMPT), device="cuda")
    mask = torch.ones_like(prompt)

    def generate():
        return model.generate(prompt, attention_mask=mask, max_new_tokens=tokens, min_new_tokens=tokens,
                              do_sample=False, pad_token_id=0)

    return generate
