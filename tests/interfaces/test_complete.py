"""Every verb of the table has what its doors need."""

import asyncio
import inspect
from pathlib import Path

from cn_daemon import bootstrap
from cn_daemon.application.ports import Handler
from cn_daemon.interfaces import command_text, openapi, text
from cn_daemon.interfaces.requests import snake
from cn_daemon.settings import Settings
from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.verbs import VERBS

OF_THE_DAEMON = {"status", "stop"}


async def use_cases(services: bootstrap.Services) -> dict[str, Handler]:
    """What the handlers hand on to, by verb."""
    await services.code.get()
    questions = await services.questions.get()
    asked = {verb: await questions.handler(verb) for verb in questions.parts}
    library = await services.library.get()
    own = {"config show": services.handlers["config show"]}
    return {**asked, **library.handlers, **await services.running.get(), **own}


def test_every_verb_has_a_use_case_that_takes_its_parameters(tmp_path: Path) -> None:
    services = bootstrap.Services(tmp_path, Settings(), tmp_path / "log")
    handlers = asyncio.run(use_cases(services))
    assert set(services.handlers) == set(handlers)
    assert set(handlers) == {verb.name for verb in VERBS} - OF_THE_DAEMON
    for verb in VERBS:
        if verb.name in handlers:
            taken = set(inspect.signature(handlers[verb.name]).parameters) - {"self", "call"}
            assert taken == {snake(item.name) for item in verb.parameters}


def test_every_answer_is_documented_and_has_its_text() -> None:
    assert set(openapi.ANSWERS) == {verb.name for verb in VERBS} - {"stop"}
    of_commands = {verb.name for verb in COMMAND_VERBS}
    assert set(command_text._RENDERERS) == of_commands
    assert {kind for name, kind in openapi.ANSWERS.items() if name not in of_commands} == set(text._RENDERERS)
