from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.command_sources.catalogs import CatalogReader
from cn_daemon.application.libraries.library_ports import Refresh
from cn_daemon.domain.libraries.commands import Argument, Command, HttpCall

MANIFEST = {
    "vendor": "acme",
    "commands": [
        {
            "group": "apps",
            "name": "apps:info",
            "summary": "Show one app.",
            "positional_args": [{"name": "app", "help": "Its name."}],
            "flags": [{"name": "region", "short_name": "r", "required": True, "type": "string",
                       "enum_values": ["eu", "us"], "default_value": "eu", "description": "Where."}],
            "execution": {"Http": {"method": "get", "path": "/apps/{app}", "output_schema": {"type": "object"}}},
        },
        {"group": "tools", "name": "ask", "execution": {"Mcp": {"server": "s", "tool": "t"}}},
    ],
}  # fmt: skip
OPENAPI = """
openapi: 3.0.3
info: {title: Pet Shop, version: "1"}
servers: [{url: "https://{region}.example.com", variables: {region: {default: eu}}}]
paths:
  /v1/pets:
    get:
      summary: List pets
      parameters:
        - $ref: '#/components/parameters/limit'
        - {name: X-Trace, in: header, schema: {type: string}}
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
    post:
      summary: Add a pet
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - $ref: '#/components/schemas/Pet'
                - {type: object, required: [name], properties: {tag: {type: string}}}
      responses: {'201': {$ref: '#/components/responses/Made'}}
  /pets/{petId}:
    parameters:
      - {name: petId, in: path, required: true, schema: {type: integer}}
    get: {summary: Show a pet, responses: {'200': {description: ok}}}
    delete: {summary: Remove a pet, responses: {'204': {description: gone}}}
components:
  parameters:
    limit: {name: limit, in: query, description: At most, schema: {type: integer, default: 10}}
  responses:
    Made: {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  schemas:
    Pet:
      type: object
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, enum: [a, b]}
        parent: {$ref: '#/components/schemas/Pet'}
"""


def read(found: Refresh) -> list[Command]:
    return list(commands(found).values())


def commands(found: Refresh) -> dict[str, Command]:
    return {one.command.canonical_id: one.command for unit in found.order for one in found.files.get(unit, ())}


def write(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_a_manifests_commands(tmp_path: Path) -> None:
    found = commands(CatalogReader([write(tmp_path / "m.json", MANIFEST)]).read(everything=False))
    assert list(found) == ["apps apps:info", "tools ask"]
    info = found["apps apps:info"]
    assert info.http == HttpCall("GET", "/apps/{app}")
    assert info.positional_args == (Argument("app", "Its name.", True, place="path"),)
    assert info.flags == (Argument("region", "Where.", True, "string", ("eu", "us"), "eu", "r"),)
    assert info.catalog is not None
    assert info.catalog.vendor == "acme"
    assert found["tools ask"].execution_type == "mcp"
    assert found["tools ask"].mcp is not None


def test_rows_of_a_manifest_without_a_name_were_left_out_in_silence_or_kept_without_one(tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.json", {**MANIFEST, "commands": [*MANIFEST["commands"], {"group": "x"}, {"name": 3}, "none"]}
    )
    os.utime(path, (1, 1))  # long ago: a later daemon need not read it again
    source = CatalogReader([path])
    found = source.read(everything=False)
    assert list(commands(found)) == ["apps apps:info", "tools ask"]
    told = "row 3 has no name, row 4 has no name, row 5 is not an object"
    assert found.warnings == [f"{path}: 3 of 5 rows are left out: {told}."]
    assert source.read(everything=False).warnings == found.warnings
    later = CatalogReader([path])
    later.resume(found.marks)
    assert later.read(everything=False).warnings == found.warnings


def test_rows_of_a_list_that_name_no_catalog_were_passed_over_in_silence(tmp_path: Path) -> None:
    write(tmp_path / "m.json", MANIFEST)
    rows = [{"path": "m.json"}, {"path": "../m.json"}, {"path": "m\0.json"}, {"title": "t"}, 3]
    listing = write(tmp_path / "catalogs.json", {"catalogs": rows})
    found = CatalogReader([tmp_path]).read(everything=False)
    assert len(read(found)) == 2
    told = f"row 2 leads out of {tmp_path.resolve()}, row 3 names no file, row 4 names no file, ..."
    assert found.warnings[0] == f"{listing}: 4 of 5 rows are left out: {told}."


def test_what_should_be_a_list_and_is_a_number_broke_every_catalog(tmp_path: Path) -> None:
    flags = [{"name": "x", "enum_values": 3}]
    write(tmp_path / "m.json", {"vendor": "v", "commands": [{"group": "g", "name": "n", "flags": flags}]})
    write(tmp_path / "catalogs.json", {"catalogs": [{"path": "m.json", "base_urls": 3}]})
    (command,) = read(CatalogReader([tmp_path]).read(everything=False))
    assert command.flags[0].choices == ()


def test_an_openapi_documents_operations(tmp_path: Path) -> None:
    found = commands(CatalogReader([write(tmp_path / "pets.yaml", OPENAPI)]).read(everything=False))
    assert list(found) == ["pet-shop pets:list", "pet-shop pets:create", "pet-shop pets:info", "pet-shop pets:delete"]
    listing, create = found["pet-shop pets:list"], found["pet-shop pets:create"]
    assert listing.http == HttpCall("GET", "/v1/pets", ("https://eu.example.com",))
    assert listing.flags[0] == Argument(
        "limit", "At most", False, "integer", (), "10", place="query", style="form", explode=True
    )
    assert listing.flags[1].place == "header"
    assert listing.output_schema is not None
    assert list(listing.output_schema["items"]["properties"]) == ["id", "name", "parent"]
    assert [(one.name, one.required, one.place) for one in create.flags] == [
        ("name", True, "body"),
        ("parent", False, "body"),
        ("tag", False, "body"),
    ]
    assert create.output_schema is not None
    assert found["pet-shop pets:info"].positional_args == (
        Argument("petId", "", True, "integer", place="path", style="simple"),
    )


def test_openapi_3_1_has_lists_of_types(tmp_path: Path) -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"type": ["null", "integer"]}}],
                                 "responses": {"200": {"description": "ok"}}}}},
    }  # fmt: skip
    (command,) = commands(CatalogReader([write(tmp_path / "t.json", document)]).read(everything=False)).values()
    assert command.flags[0].kind == "integer"


SWAGGER = """
swagger: "2.0"
info: {title: Pets, version: "1"}
host: pets.example.com
basePath: /v2
schemes: [http, https]
consumes: [application/json]
parameters:
  limit: {name: limit, in: query, type: integer, default: 10}
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - $ref: '#/parameters/limit'
        - {name: tags, in: query, type: array, items: {type: string}}
        - {name: kinds, in: query, type: array, items: {type: string}, collectionFormat: multi}
      responses: {'200': {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}}
    post:
      parameters: [{name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
      responses: {'201': {$ref: '#/responses/Made'}}
  /pets/{petId}/photo:
    parameters: [{name: petId, in: path, required: true, type: integer}]
    put:
      parameters: [{name: photo, in: formData, type: file}, {name: note, in: formData, type: string, required: true}]
      responses: {'204': {description: done}}
responses:
  Made: {description: made, schema: {$ref: '#/definitions/Pet'}}
definitions:
  Pet: {type: object, required: [name], properties: {name: {type: string}, age: {type: integer}}}
"""


def test_swagger_2_is_read_as_openapi(tmp_path: Path) -> None:
    found = commands(CatalogReader([write(tmp_path / "pets.yaml", SWAGGER)]).read(everything=False))
    listing, create = found["pets pets:list"], found["pets pets:create"]
    assert listing.http == HttpCall("GET", "/pets", ("https://pets.example.com/v2", "http://pets.example.com/v2"))
    assert [(one.name, one.kind, one.default, one.explode) for one in listing.flags] == [
        ("limit", "integer", "10", True),
        ("tags", "array", None, False),
        ("kinds", "array", None, True),
    ]
    assert listing.aliases == ("listPets",)
    assert listing.output_schema is not None
    assert list(listing.output_schema["items"]["properties"]) == ["name", "age"]
    assert [(one.name, one.required, one.place) for one in create.flags] == [
        ("name", True, "body"),
        ("age", False, "body"),
    ]
    assert create.output_schema is not None
    photo = found["pets pets:photo:update"]
    assert photo.http is not None
    assert photo.http.body_type == "multipart/form-data"
    assert [(one.name, one.kind, one.required) for one in photo.flags] == [
        ("photo", "file", False),
        ("note", "string", True),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {"paths": 7}, {"paths": {"/a": 7}}, {"paths": {"/a": {"get": 7}}}, {"parameters": 7}, {"responses": []},
        {"paths": {"/a": {"get": {"parameters": 7, "responses": 7}}}},
        {"paths": {"/a": {"get": {"parameters": [{"$ref": "#/parameters/x"}], "responses": {"200": 7}}}}},
        {"paths": {"/a": {"post": {"parameters": [{"in": "body"}], "consumes": [7], "responses": {}}}}},
        {"schemes": 7, "host": 7, "consumes": 7},
    ],
)  # fmt: skip
def test_a_broken_swagger_document_is_named_or_read_as_far_as_it_goes(tmp_path: Path, broken: dict[str, Any]) -> None:
    document = {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "paths": {}, **broken}
    found = CatalogReader([write(tmp_path / "t.json", document)]).read(everything=False)
    assert all("It is not valid Swagger 2.0" in warning for warning in found.warnings)


def of_body(content: dict[str, Any]) -> dict[str, Any]:
    operation = {"requestBody": {"required": True, "content": content}, "responses": {"200": {"description": "ok"}}}
    return {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"post": operation}}}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ({"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}, "array"),
        ({"application/json": {"schema": {"oneOf": [{"type": "object"}, {"type": "array"}]}}}, "any"),
        ({"application/json": {"schema": {"type": "object", "additionalProperties": True}}}, "object"),
        ({"application/json": {}}, "any"),
        ({"text/plain": {"schema": {"type": "string"}}}, "string"),
    ],
)
def test_a_body_that_is_no_object_of_fields_is_given_whole(tmp_path: Path, content: dict[str, Any], kind: str) -> None:
    found = CatalogReader([write(tmp_path / "t.json", of_body(content))]).read(everything=False)
    (command,) = read(found)
    assert [(one.name, one.kind, one.required) for one in command.flags] == [("body", kind, True)]


def test_references_stay_within_the_document(tmp_path: Path) -> None:
    write(tmp_path / "other.yaml", "Pet: {type: object, properties: {secret: {type: string}}}")
    text = OPENAPI.replace("items: {$ref: '#/components/schemas/Pet'}", "items: {$ref: 'other.yaml#/Pet'}")
    text = text.replace("$ref: '#/components/responses/Made'", "$ref: '#/components/responses/Loop'")
    text = text.replace(
        "  responses:\n    Made:", "  responses:\n    Loop: {$ref: '#/components/responses/Loop'}\n    Made:"
    )
    found = commands(CatalogReader([write(tmp_path / "pets.yaml", text)]).read(everything=False))
    assert found["pet-shop pets:list"].output_schema == {"type": "array", "items": {}}
    assert found["pet-shop pets:create"].output_schema is None


def test_a_list_of_catalogs_gives_order_titles_and_addresses(tmp_path: Path) -> None:
    write(tmp_path / "b.json", {**MANIFEST, "commands": MANIFEST["commands"][:1]})
    write(tmp_path / "a.yaml", OPENAPI)
    write(tmp_path / "off.json", MANIFEST)
    write(tmp_path.parent / "out.json", MANIFEST)
    write(
        tmp_path / "catalogs.json",
        {"catalogs": [
            {"title": "B", "description": "Bees", "manifest_path": "b.json", "base_urls": ["https://1", "https://2"],
             "base_url_index": 1, "headers": [{"key": "X", "value": "1"}, {}]},
            {"title": "A", "manifest_path": "a.yaml"},
            {"title": "Off", "manifest_path": "off.json", "is_enabled": False},
            {"title": "Out", "manifest_path": "../out.json"},
        ]},
    )  # fmt: skip
    found = commands(CatalogReader([tmp_path]).read(everything=False))
    assert list(found)[:2] == ["apps apps:info", "a pets:list"]
    assert len(found) == 5
    http = found["apps apps:info"].http
    assert http is not None
    assert (http.base_urls, http.headers) == (("https://2", "https://1"), (("X", "1"),))


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.json", "{", "It is not valid JSON (line 1)"),
        ("x.yaml", "a: [}", "It is not valid YAML (line 1)"),
        ("x.json", "[]", "It is neither a manifest (vendor, commands) nor an OpenAPI document"),
        (
            "x.json",
            '{"swagger": "2.0"}',
            "It is not valid Swagger 2.0: info: Input should be a valid dictionary or instance of Info",
        ),
        ("x.json", '{"swagger": "1.2"}', "It is OpenAPI 1.2; 2.0, 3.0 and 3.1 are read"),
        ("x.json", '{"commands": {}}', "It has no list commands"),
        ("x.json", '{"openapi": "3.0.0", "paths": {}}', "It is not valid OpenAPI 3.0.0: info: Field required"),
    ],
)
def test_a_broken_document_is_named_and_costs_nothing_else(tmp_path: Path, name: str, text: str, why: str) -> None:
    bad, good = write(tmp_path / name, text), write(tmp_path / "good.json", MANIFEST)
    found = CatalogReader([bad, good]).read(everything=False)
    assert found.warnings == [f"{bad}: {why}."]
    assert len(commands(found)) == 2


def test_changes_are_seen_and_a_broken_change_keeps_what_was_there(tmp_path: Path) -> None:
    file = write(tmp_path / "m.json", MANIFEST)
    reader = CatalogReader([tmp_path])
    assert len(commands(reader.read(everything=False))) == 2
    assert reader.read(everything=False).files == {}
    write(file, "{ half")
    broken = reader.read(everything=False)
    assert (broken.files, len(broken.failures)) == ({}, 1)
    write(file, {**MANIFEST, "commands": MANIFEST["commands"][:1]})
    assert len(commands(reader.read(everything=False))) == 1
    file.unlink()
    assert reader.read(everything=False).files == {str(file): []}


def test_a_missing_place_is_named(tmp_path: Path) -> None:
    found = CatalogReader([tmp_path / "nothing.json"]).read(everything=False)
    assert found.warnings == [f"{tmp_path}/nothing.json: No such file or directory."]


def test_schemas_that_hold_each_other_are_filled_in_to_an_end(tmp_path: Path) -> None:
    names = [f"S{number}" for number in range(12)]
    schemas = {
        name: {"type": "object", "properties": {other: {"$ref": f"#/components/schemas/{other}"} for other in names}}
        for name in names
    }
    schemas["Loop"] = {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"properties": {"id": {"type": "string"}}}]}

    def answer(name: str) -> dict[str, Any]:
        schema = {"schema": {"$ref": f"#/components/schemas/{name}"}}
        return {"get": {"responses": {"200": {"description": "ok", "content": {"application/json": schema}}}}}

    document = {
        "openapi": "3.0.3",
        "info": {"title": "Knot", "version": "1"},
        "paths": {"/knot": answer("S0"), "/loop": answer("Loop")},
        "components": {"schemas": schemas},
    }
    (tmp_path / "knot.json").write_text(json.dumps(document))
    knot, loop = read(CatalogReader([tmp_path / "knot.json"]).read(everything=False))
    assert len(json.dumps(knot.output_schema)) < 1_000_000
    assert list((knot.output_schema or {})["properties"]) == names
    assert list((loop.output_schema or {})["properties"]) == ["id"]


def test_a_yaml_document_that_doubles_without_end_is_named(tmp_path: Path) -> None:
    doubling = "\n".join([f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" if n else "a0: &a0 [x, x]" for n in range(40)])
    (tmp_path / "bomb.yaml").write_text(f"openapi: 3.0.3\n{doubling}\n")
    found = CatalogReader([tmp_path / "bomb.yaml"]).read(everything=False)
    assert found.warnings == [f"{tmp_path / 'bomb.yaml'}: It cannot be read: it expands without end."]


def test_a_forms_files_are_known_as_such(tmp_path: Path) -> None:
    properties = {"name": {"type": "string"}, "picture": {"type": "string", "format": "binary"}}
    content = {"multipart/form-data": {"schema": {"type": "object", "properties": properties}}}
    post = {"requestBody": {"content": content}, "responses": {"200": {"description": "ok"}}}
    document = {"openapi": "3.0.3", "info": {"title": "Forms", "version": "1"}, "paths": {"/a": {"post": post}}}
    (tmp_path / "forms.json").write_text(json.dumps(document))
    (upload,) = read(CatalogReader([tmp_path / "forms.json"]).read(everything=False))
    assert [(flag.name, flag.kind) for flag in upload.flags] == [("name", "string"), ("picture", "file")]
