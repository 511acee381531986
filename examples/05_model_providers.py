"""One language model of each provider; a local stand-in answers for all of them.

For a real provider, `OpenAIModel("gpt-4o-mini")` and an OPENAI_API_KEY in the environment are enough. Components also
accept the name of a model: "openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5", "ollama:llama3.2",
"compatible:NAME@http://HOST/v1".

$ python examples/05_model_providers.py
openai: Hello from chat completions. (9 tokens in, 5 out)
compatible: Hello from chat completions. (9 tokens in, 5 out)
anthropic: Hello from messages. (9 tokens in, 4 out)
ollama: Hello from Ollama. (9 tokens in, 4 out)
no key: there is no key; set ANTHROPIC_API_KEY or pass api_key=...
server stopped: ModelUnavailableError
"""

from __future__ import annotations

import asyncio
import os

from stand_in import stand_in

from jido_ai import ModelError
from jido_ai.errors import AuthenticationError
from jido_ai.models import AnthropicModel, CompatibleModel, CompletionRequest, Message, OllamaModel, OpenAIModel

REQUEST = CompletionRequest((Message("system", "Be brief."), Message("user", "Say hello.")), temperature=0.0)


async def main() -> None:
    async with stand_in() as url:
        for model in (
            OpenAIModel("gpt-4o-mini", api_key="any", base_url=f"{url}/v1"),
            CompatibleModel("mistral-7b", base_url=f"{url}/v1"),
            AnthropicModel("claude-sonnet-4-5", api_key="any", base_url=url),
            OllamaModel("llama3.2", base_url=url),
        ):
            async with model:  # closes the connections
                completion = await model.complete(REQUEST)
            usage = completion.usage
            print(f"{model.provider}: {completion.text} ({usage.input_tokens} tokens in, {usage.output_tokens} out)")
    os.environ.pop("ANTHROPIC_API_KEY", None)
    try:
        AnthropicModel("claude-sonnet-4-5")
    except AuthenticationError as error:
        print(f"no key: {str(error).removeprefix('anthropic:claude-sonnet-4-5: ')}")
    async with CompatibleModel("mistral-7b", base_url=f"{url}/v1") as model:
        try:
            await model.complete(REQUEST)
        except ModelError as error:
            print(f"server stopped: {type(error).__name__}")


if __name__ == "__main__":
    asyncio.run(main())
