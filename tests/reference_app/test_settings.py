"""Settings are read in one place, and a mistake says what would have been right."""

from __future__ import annotations

import pytest

from reference_app.database import Database
from reference_app.errors import SettingsError
from reference_app.settings import PROVIDERS, model_from_environment, parse_tunables


def test_assignments_keep_the_type_of_their_setting() -> None:
    """A timer stays a number of seconds and a limit a whole number, and the last assignment wins."""
    tunables = parse_tunables(["tool_timeout=0.5", "model_steps=3", "tool_timeout=2"])

    assert (2.0, 3) == (tunables.tool_timeout, tunables.model_steps)


@pytest.mark.parametrize(
    ("assignment", "hint"),
    [
        ("tool_timeot=1", "nearest: tool_timeout"),
        ("tool_timeout", "name=value"),
        ("model_steps=many", "must be int"),
    ],
)
def test_a_wrong_assignment_says_what_would_be_right(assignment: str, hint: str) -> None:
    """Somebody who mistypes a setting is not left to read the source."""
    with pytest.raises(SettingsError, match=hint):
        parse_tunables([assignment])


def test_no_provider_is_configured_without_address_and_key() -> None:
    """The application starts without a model, and says so only when somebody chats."""
    assert model_from_environment({"MODEL_ID": "m"}) is None


def test_the_environment_names_models_in_order() -> None:
    """The first named model is the default, and there is always one."""
    named = model_from_environment({"OPENAI_API_KEY": "k", "MODEL_ID": "a, b"})
    unnamed = model_from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"})

    assert named is not None
    assert ("a", "b") == named.model_ids
    assert unnamed is not None
    assert (PROVIDERS["openai-chat"].model,) == unnamed.model_ids


def test_the_key_is_not_printed() -> None:
    """A settings value in a log or a traceback must not give the credential away."""
    assert "s3cret" not in repr(model_from_environment({"OPENAI_API_KEY": "s3cret"}))


def test_an_unknown_provider_is_refused_by_name() -> None:
    """A provider that does not exist must not silently become another."""
    with pytest.raises(SettingsError, match="openai-chat"):
        model_from_environment({"MODEL_PROVIDER": "oracle", "OPENAI_API_KEY": "k"})


@pytest.mark.parametrize("url", ["nonsense", "mysql://localhost/x"])
def test_another_database_is_refused(url: str) -> None:
    """Only the two databases that are tested can be used."""
    with pytest.raises(SettingsError, match="--database"):
        Database(url)
