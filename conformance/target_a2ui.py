"""The `[a2ui]` table of a target file: where interactions are, how their parts are called, and how large they may be.

Names and bounds have the defaults of the contract that this project published itself (`docs/a2ui.md`); a target with another contract
says here where it differs.
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from conformance.target_tables import Name, Part, UrlPath

Count = Annotated[int, Field(ge=1)]
SUBSET = (
    "Text",
    "Column",
    "Row",
    "Card",
    "Divider",
    "Icon",
    "Button",
    "TextField",
    "CheckBox",
    "ChoicePicker",
    "Slider",
    "DateTimeInput",
)
CATALOG = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"


class Bounds(Part):
    """The largest sizes that a template may have: texts in characters, lists in entries, the whole in bytes of UTF-8."""

    payload_bytes: Count = 65_536
    title: Count = 120
    description: Count = 500
    fallback_text: Count = 2_000
    fields: Count = 20
    label: Count = Field(default=80, description="Of a field, an option, an item or a step.")
    options: Count = Field(default=20, description="Of a choice, or of one field; two at least.")
    option_value: Count = 64
    explanation: Count = 240
    items: Count = 20
    item_value: Count = 500
    steps: Count = 20
    actions: Count = 3
    action_label: Count = 40


class A2ui(Part):
    """How interactions are presented and answered at the target."""

    tool: Annotated[str, Field(min_length=1)] = Field(
        default="a2ui_present", description="The tool's name, as the model reads it."
    )
    action: UrlPath = Field(default="/a2ui/action", description="Where a click is posted.")
    cancel: UrlPath = Field(default="/a2ui/cancel", description="Where a card is withdrawn.")
    surface: UrlPath | None = Field(
        default=None,
        description="Where the owner of an interaction reads its compiled messages; `{conversation}` and `{call}` are filled in.",
    )
    catalog: str = Field(default=CATALOG, description="The catalog that compiled surfaces name.")
    components: tuple[str, ...] = Field(
        default=SUBSET, description="The components that surfaces are made of."
    )
    names: Mapping[str, str] = Field(
        default_factory=dict,
        description="Where a key of templates or payloads is called otherwise than in the contract, its name there.",
    )
    bounds: Bounds = Field(default_factory=Bounds)
    trusted: Name | None = Field(
        default=None, description="The variant under `launch.variants` that trusts another host name."
    )
    trusted_host: str = Field(default="", description="The host name that this variant trusts.")
