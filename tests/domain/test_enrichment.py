import pytest

from cn_daemon.domain.libraries.commands import Argument, Command
from cn_daemon.domain.libraries.enrichment import enrichment, output_fields

OBJECT = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "fields"),
    [
        (OBJECT, ["id", "name"]),
        ({"type": "array", "items": OBJECT}, ["[].id", "[].name"]),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "string"}, []),
        ({"type": "object"}, []),
        (None, []),
    ],
)
def test_output_fields_are_keys_of_objects(schema: dict[str, object] | None, fields: list[str]) -> None:
    assert output_fields(schema) == fields


def command() -> Command:
    return Command(
        "apps info", "info", "catalog", "http",
        positional_args=(Argument("app", "The app.", True, place="path"),),
        flags=(Argument("full", kind="boolean"), Argument("region", required=True, choices=("eu", "us"), default="eu")),
        output_schema=OBJECT,
    )  # fmt: skip


APP = {"name": "app", "type": "string", "required": True, "description": "The app.", "in": "path"}
REGION = {"name": "region", "type": "string", "required": True, "default": "eu", "enum": ["eu", "us"]}


def test_none_adds_nothing() -> None:
    assert enrichment(command(), "none") == {}


def test_required_only_adds_required_inputs_and_output_fields() -> None:
    assert enrichment(command(), "required_only") == {
        "positional_args": [APP],
        "flags": [REGION],
        "output_fields": ["id", "name"],
    }


def test_full_adds_every_input_and_the_schema() -> None:
    full = enrichment(command(), "full")
    assert full["flags"] == [{"name": "full", "type": "boolean", "required": False}, REGION]
    assert full["output_schema"] == OBJECT
    assert full["output_fields"] == ["id", "name"]


def test_a_command_without_schema_has_no_output_fields() -> None:
    assert enrichment(Command("md:x", "x", "markdown", "prompt"), "full") == {"positional_args": [], "flags": []}
