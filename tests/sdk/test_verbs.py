"""Every verb has its method, with the parameters of the table."""

from __future__ import annotations

import inspect

import pytest

from cn_client.sdk import AsyncClient, Client
from cn_client.sdk import verbs as written
from cn_shared.verbs import VERBS, Verb
from tests import golden
from tests.conftest import ROOT
from tests.sdk.writing import argument_name, method_name, module


def test_the_methods_are_those_of_the_table() -> None:
    golden.check("verbs.py", module(), ROOT / "client" / "cn_client" / "sdk")


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize("row", VERBS, ids=lambda row: row.name)
def test_verb_has_its_method(row: Verb, client: type[Client | AsyncClient]) -> None:
    method = getattr(client, method_name(row))
    assert inspect.iscoroutinefunction(method) is (client is AsyncClient)
    taken = dict(inspect.signature(method).parameters)
    assert [taken.pop(name).default for name in ("deadline_s", "budget")] == [None, None]
    del taken["self"]
    assert set(taken) == {argument_name(item) for item in row.parameters}
    for item in row.parameters:
        one = taken[argument_name(item)]
        assert (one.kind is one.POSITIONAL_OR_KEYWORD) is item.positional
        needed = item.positional and not item.optional and item.default is None
        assert one.default == (inspect.Parameter.empty if needed else item.default)


def test_nothing_but_verbs_is_written() -> None:
    names = {name for name in vars(written.Verbs) if not name.startswith("_")}
    assert names == {method_name(row) for row in VERBS}
