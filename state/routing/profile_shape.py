"""The shape of a profile for pydantic: what checks it, and its JSON Schema. Built when needed."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

MOST = 64
WEIGHT_LIMIT = 1000
TEXT_LIMIT = 256

# By pydantic's kind of error: what is wrong. Others are told by pydantic's own words.
_WHAT = {
    "extra_forbidden": "there is no such field in a profile",
    "missing": "it is missing",
    "int_type": "it is no whole number",
    "string_type": "it is no text",
    "list_type": "it is no list",
    "dict_type": "it is no object",
    "model_type": "it is no object",
    "too_short": "it is empty",
    "too_long": f"it has more than {MOST} entries",
    "string_too_short": "it is an empty text",
    "string_too_long": f"it has more than {TEXT_LIMIT} characters",
}
_FIELDS = (
    "the fields are: schema, skill, profile_version, vocabulary, features, excludes, platforms,"
    " requires, promoted_from"
)
_WEIGHTS = f"weights are whole numbers from 1 to {WEIGHT_LIMIT}"
_PROMOTED = "null, or an object with the texts candidate and decision"


def misfits(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each way in which an object is no profile: field, what is wrong, what to do."""
    from pydantic import ValidationError

    try:
        _model().model_validate(data)
    except ValidationError as error:
        for told in error.errors(include_url=False, include_input=False, include_context=False):
            place = ".".join(str(part) for part in told["loc"] if part != "[key]")
            yield place, *_said(told["type"], told["msg"], place)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a profile, with the closed vocabulary in it."""
    schema: dict[str, Any] = _model().model_json_schema()
    weight = {"type": "integer", "minimum": 1, "maximum": WEIGHT_LIMIT}
    features = schema["properties"]["features"]
    features["properties"] = {
        name: {"description": meaning, **weight} for name, meaning in FEATURES.items()
    }
    features["additionalProperties"] = False
    schema["properties"]["excludes"]["items"]["enum"] = list(FEATURES)
    schema["properties"]["vocabulary"]["const"] = VOCABULARY_VERSION
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _said(kind: str, message: str, place: str) -> tuple[str, str]:
    """What is wrong, and what to do."""
    what = _WHAT.get(kind) or f"it doesn't fit: {message[:1].lower()}{message[1:]}"
    if place.startswith("promoted_from"):
        return what, _PROMOTED
    if kind == "extra_forbidden":
        return what, "take it out"
    if kind == "missing":
        return what, _FIELDS
    if place.startswith("features."):
        return what, _WEIGHTS
    return what, "a whole number from 1 on" if place == "profile_version" else ""


@cache
def _model() -> Any:
    from pydantic import ConfigDict, Field, create_model

    exactly = ConfigDict(strict=True, extra="forbid")
    text = Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT)]
    once: dict[str, Any] = {"uniqueItems": True}
    listed = Annotated[list[text], Field(max_length=MOST, json_schema_extra=once)]
    platform = Literal["linux", "macos", "windows"]
    weight = Annotated[int, Field(ge=1, le=WEIGHT_LIMIT)]
    promotion = create_model(
        "Promotion", __config__=exactly, candidate=(text, ...), decision=(text, ...)
    )
    fields: dict[str, Any] = {
        # `schema` itself is a name that pydantic's models have taken.
        "schema_": (Annotated[Literal["skill-routing-profile-v1"], Field(alias="schema")], ...),
        "skill": (text, ...),
        "profile_version": (Annotated[int, Field(ge=1)], ...),
        "vocabulary": (text, ...),
        "features": (
            Annotated[dict[str, weight], Field(min_length=1, max_length=MOST)],
            ...,
        ),
        "excludes": (listed, ...),
        "platforms": (
            Annotated[list[platform], Field(max_length=MOST, json_schema_extra=once)],
            ...,
        ),
        "requires": (listed, ...),
        "promoted_from": (promotion | None, None),
    }
    return create_model("SkillRoutingProfile", __config__=exactly, **fields)
