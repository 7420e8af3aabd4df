"""The shape of a profile for pydantic: what checks it, and its JSON Schema. Built when needed."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal

from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

MOST = 64
WEIGHT_LIMIT = 1000
TEXT_LIMIT = 256

# By pydantic's kind of error: what to do. Others are told by pydantic's own words.
_HINTS = {
    "missing": "the fields are: schema, skill, profile_version, vocabulary, features, excludes,"
    " platforms, requires, promoted_from",
    "int_type": "a whole number without quotes",
    "greater_than_equal": "weights go from 1 to 1000",
    "less_than_equal": "weights go from 1 to 1000",
}


def misfits(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each way in which an object is no profile: field, what is wrong, what to do."""
    from pydantic import ValidationError

    try:
        _model().model_validate(data)
    except ValidationError as error:
        for told in error.errors(include_url=False, include_input=False, include_context=False):
            place = ".".join(str(part) for part in told["loc"] if part != "[key]")
            yield place, *_said(told["type"], told["msg"])


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


def _said(kind: str, message: str) -> tuple[str, str]:
    if kind == "extra_forbidden":
        return "there is no such field in a profile", "take it out"
    if kind == "missing":
        return "it is missing", _HINTS[kind]
    return f"it doesn't fit: {message[:1].lower()}{message[1:]}", _HINTS.get(kind, "")


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
