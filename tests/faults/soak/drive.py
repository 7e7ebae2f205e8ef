"""The soak itself: workers that ask, edit and kill, and the judge of what comes back."""

from __future__ import annotations

import json
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.faults.soak.client import Reply, abandon, by_cn, by_http
from tests.faults.soak.edits import Workspace
from tests.faults.soak.kills import Killer
from tests.faults.soak.questions import Question, ask
from tests.faults.workbench import Workbench

WORKERS = 4
# A partial answer is right while what was killed is coming up again.
_RECOVERS_S = 40.0
_AGAIN = 6


@dataclass(frozen=True)
class Rates:
    """How many of a call come with one of these, of 1. daemon: whether kills may be of it. odd: whether edits may leave
    what is no ordinary source, which may be large."""

    edit: float = 0.03
    kill: float = 0.005
    freeze: float = 0.002
    command_line: float = 0.05
    client_killed: float = 0.01
    daemon: bool = True
    odd: bool = True


@dataclass(slots=True)
class Tally:
    """outcomes: of each reply. refusals: the last words of each code. faults: what must not be, in words."""

    outcomes: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    refusals: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """When a question was made, and what its answer depended on then."""

    moment: int
    depends: set[str] | None


class NotInstalledError(Exception):
    """The language server could not be installed: no further question would be answered."""


class Soak:
    def __init__(self, bench: Workbench, workspace: Workspace, seed: int, tell: Callable[[str], None]) -> None:
        self.bench = bench
        self.tally = Tally()
        self.workspace = workspace
        self.killer = Killer(bench, Random(seed + 1))
        self._random = Random(seed)
        self._tell = tell
        self._gone: list[str] = []
        self._left = 0
        self._no_server: NotInstalledError | None = None
        self._timers: list[threading.Timer] = []
        self._lock = threading.Lock()
        self._editing = threading.Lock()

    def run(self, calls: int, rates: Rates) -> None:
        """So many questions, by workers at once. Raises NotInstalledError. An interrupt leaves each worker to the call
        that it is in."""
        self._left = calls
        threads = [threading.Thread(target=self._work, args=(rates,), daemon=True) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:
            self._left = 0
        if self._no_server:
            raise self._no_server
        for timer in self._timers:
            timer.join()
        self._timers.clear()

    def _work(self, rates: Rates) -> None:
        try:
            while self._next():
                with self._lock:
                    random = Random(self._random.random())
                if random.random() < rates.edit:
                    self._edit(rates.odd)
                if random.random() < rates.kill:
                    # Idle, while it loads, or amid the others' questions.
                    delay_s = random.choice([0.0, 0.0, random.random() * 0.05, random.random() * 2])
                    self._later(delay_s, lambda: self.killer.strike(daemon=rates.daemon))
                if random.random() < rates.freeze:
                    self._later(random.random() * 0.05, self.killer.freeze)
                self._call(random, rates)
        except NotInstalledError as error:
            self._no_server, self._left = error, 0
        except Exception:
            self._fault(traceback.format_exc())

    def _later(self, delay_s: float, do: Callable[[], None]) -> None:
        timer = threading.Timer(delay_s, do)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def _next(self) -> bool:
        with self._lock:
            self._left -= 1
            if self._left >= 0 and self._left % 500 == 0:
                self._tell(f"{self._left} left, {dict(self.tally.outcomes)}, kills {dict(self.killer.counts)}")
            return self._left >= 0

    def _edit(self, odd: bool) -> None:
        with self._editing:
            before = self.workspace.truth.symbols.keys()
            name = self.workspace.edit(odd=odd)
            self._gone = [*self._gone, *(before - self.workspace.truth.symbols.keys())][-200:]
            self.tally.edits[name] += 1

    def _call(self, random: Random, rates: Rates) -> None:
        moment = self.workspace.moment()  # before the truth is looked at
        truth = self.workspace.truth
        question = ask(truth, random, self._gone)
        asked = Asked(moment, question.files(truth))
        self._count(question.verb, self.tally.verbs)
        way = random.random()
        if way < rates.client_killed:
            if random.random() < 0.5:
                abandon(self.bench, question)
            elif (reply := by_cn(self.bench, question, random.random() * 0.3)) is not None:
                self._judge(question, reply, asked, time.monotonic() - 1)
                return
            return self._count("client killed")
        # After a clear error the same question is asked again: the next answer must be right.
        for _ in range(_AGAIN):
            began = time.monotonic()
            if way < rates.client_killed + rates.command_line:
                reply = by_cn(self.bench, question, None)
                assert reply is not None
            else:
                reply = by_http(self.bench, question)
            if self._judge(question, reply, asked, began):
                return

    def _judge(self, question: Question, reply: Reply, asked: Asked, began: float) -> bool:
        """False: to be asked again, since it was refused for a reason that has passed."""
        loose = self._moved(question, asked)
        verb = f"{question.verb} {json.dumps(question.arguments)}"
        if reply.hung:
            self._fault(f"hung: {verb}")
        elif reply.cut:
            self._expect(
                "cut", self.killer.cause(began - 1, "daemon"), f"the connection was lost, nobody killed: {verb}"
            )
        elif reply.error:
            self._refused(verb, reply.error, loose, began)
        elif loose:
            self._count("moved")
        elif reply.partial:
            killed = any(self.killer.cause(began - _RECOVERS_S, victim) for victim in ("daemon", "server"))
            self._expect("partial", killed, f"partial, nobody killed: {verb}: {reply.partial}")
        else:
            wrong = question.wrong(reply.answer)
            self._expect("right", not wrong, f"WRONG: {verb}: {wrong}")
        return loose or not (reply.error or reply.cut or reply.partial)

    def _refused(self, verb: str, error: dict[str, object], loose: bool, began: float) -> None:
        code = str(error["code"])
        if code == "provisioning_failed":
            raise NotInstalledError(f"{error.get('message')} {error.get('hint', '')}".strip())
        killed = any(self.killer.cause(began - 1, victim) for victim in ("daemon", "server"))
        resting = code == "language_server_failed" and self.killer.resting()
        if loose:
            return self._count("moved")
        self.tally.refusals[code] = str(error.get("message"))
        self._expect(f"refused: {code}", killed or resting, f"refused, nobody killed: {verb}: {error}")

    def _moved(self, question: Question, asked: Asked) -> bool:
        """Whether an edit touched, meanwhile, what the answer depends on: then it may be that of before or after."""
        touched = self.workspace.touched_since(asked.moment)
        depends = question.files(self.workspace.truth)
        if depends is None or asked.depends is None:
            return bool(touched)
        return bool(touched & (depends | asked.depends))

    def _expect(self, outcome: str, holds: bool, otherwise: str) -> None:
        self._count(outcome if holds else "FAULT")
        if not holds:
            self._fault(otherwise)

    def _count(self, what: str, counter: Counter[str] | None = None) -> None:
        with self._lock:
            (self.tally.outcomes if counter is None else counter)[what] += 1

    def _fault(self, words: str) -> None:
        with self._lock:
            self.tally.faults.append(words)
        self._tell(words)
