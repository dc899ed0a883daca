"""Model providers, one wire format a module; none of their SDKs is imported before it is needed."""

from __future__ import annotations

from collections.abc import Mapping

from reference_app.runtime.providers.anthropic import Anthropic
from reference_app.runtime.providers.openai_chat import OpenAIChat
from reference_app.runtime.providers.openai_responses import OpenAIResponses
from reference_app.runtime.providers.sdk import SdkModel
from reference_app.settings import ModelSettings

MODELS: Mapping[str, type[SdkModel]] = {
    "openai-chat": OpenAIChat,
    "openai-responses": OpenAIResponses,
    "anthropic": Anthropic,
}
"""What speaks each of the formats that :data:`reference_app.settings.PROVIDERS` names."""


def model_of(settings: ModelSettings) -> SdkModel:
    """The model that the settings name."""
    return MODELS[settings.provider](settings)
