"""Write a model file of random weights, under 1 MB, that llama.cpp can serve: its text is noise, its protocol is real.

python tiny_model.py FILE.gguf
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType, TokenType

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 32, 1, 2, 64, 4096
SPECIAL = ("<end>", "<turn>", "<stop>")
TEMPLATE = (
    "{% for message in messages %}<turn>{{ message.role }}\n{{ message.content }}<stop>\n{% endfor %}"
    "{% if add_generation_prompt %}<turn>assistant\n{% endif %}"
)
FAVOUR_STOP = 0.12
"""How much likelier the end is than any one letter, in logits times the constant of the residual stream: some dozens of
tokens, then an end of its own."""


def byte_letters() -> list[str]:
    """Return how byte-level BPE writes each of the 256 bytes: itself when it prints, else a letter above 255."""
    prints = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return [chr(byte if byte in prints else next(others)) for byte in range(256)]


def write_tiny_model(path: Path, *, seed: int = 11) -> None:
    """Write the file; the same seed gives the same file."""
    random = np.random.default_rng(seed)
    letters = byte_letters()
    tokens = [*SPECIAL, *letters, letters[ord("h")] + letters[ord("i")]]
    kinds = [TokenType.CONTROL] * len(SPECIAL) + [TokenType.NORMAL] * (len(tokens) - len(SPECIAL))

    def noise(*shape: int) -> np.ndarray:
        return random.normal(0.0, 0.04, shape).astype(np.float32)

    # The first number of every embedding is 3, whatever the token: with it, column 0 of the output says how likely each
    # token is before anything else counts. Letters that print, and the end; never half a character.
    embedding, output = noise(len(tokens), WIDTH), noise(len(tokens), WIDTH)
    embedding[:, 0] = 3.0
    output[:, 0] = -5.0
    for byte in (ord("\n"), *range(ord(" "), 0x7F)):
        output[len(SPECIAL) + byte, 0] = 0.0
    output[SPECIAL.index("<stop>"), 0] = FAVOUR_STOP

    writer = GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"{letters[ord('h')]} {letters[ord('i')]}"])
    writer.add_bos_token_id(SPECIAL.index("<end>"))
    writer.add_eos_token_id(SPECIAL.index("<stop>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    writer.add_tensor("output.weight", output)
    for layer in range(LAYERS):
        for name, shape in {
            **dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (WIDTH, WIDTH)),
            **dict.fromkeys(("ffn_gate", "ffn_up"), (INNER, WIDTH)),
            "ffn_down": (WIDTH, INNER),
        }.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", noise(*shape))
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_tiny_model(Path(sys.argv[1]))
