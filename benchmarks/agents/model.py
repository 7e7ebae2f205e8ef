"""A model that does as it is told: speaks the protocols of the real ones, asks for one tool after another.

It keeps the definitions of the tools it is offered, and the text of each result as it is given to it: what a real model
would read, and its owner pay for.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# A question is asked with the first of these tools that the client offers.
Call = tuple[str, dict[str, Any]]
Question = Sequence[Call]
Document = dict[str, Any]
SEARCH = "tool_search"


class Model:
    """`tools`: name → definition as it arrived. `results`: the text of each answer, in the order of `questions`.

    deferred: how many of them the client keeps back until they are searched for. searched: whether they had to be.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = questions
        self.tools: dict[str, Document] = {}
        self.results: list[str] = []
        self.deferred = 0
        self.searched = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self, tools: dict[str, Document], results: list[str]) -> tuple[str, dict[str, Any]] | None:
        """The tool to call now and its arguments; None: it is done, or was asked something else."""
        own = {plain(name): name for name in tools if _ours(name)}
        if self.searched:
            results = results[1:]
        elif not own and SEARCH in tools:
            self.searched = True
            names = dict.fromkeys(f"mcp__cn__{tool}" for question in self.questions for tool, _ in question)
            return SEARCH, {"query": "select:" + ",".join(names), "max_results": 20}
        if not own:
            return None
        self.tools = {name: tools[name] for name in own.values()}
        self.results = results
        if len(results) >= len(self.questions):
            return None
        for tool, arguments in self.questions[len(results)]:
            if tool in own:
                return own[tool], arguments
        raise LookupError(f"none of {self.questions[len(results)]} among {sorted(own)}")

    def _handler(model: Model) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                self._send("application/json", b'{"object":"list","data":[{"id":"mock","object":"model"}],"models":[]}')

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = json.loads(body or b"{}")
                for path, answer in PROTOCOLS.items():
                    if re.search(path, self.path):
                        events = list(answer(model, asked))
                        streamed = asked.get("stream") or "stream" in self.path
                        if not streamed and path in WHOLE:
                            return self._send("application/json", json.dumps(WHOLE[path](events)).encode())
                        kind = "text/event-stream"
                        return self._send(kind, b"".join(_event(name, one) for name, one in events))
                self._send("application/json", b"{}")

            def _send(self, kind: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler


Events = Iterator[tuple[str, Document]]


def plain(name: str) -> str:
    """A tool's own name: clients put the server's before it."""
    return re.sub(r"^(mcp__cn__|mcp_cn_|cn__|cn_)", "", name)


def _ours(name: str) -> bool:
    return bool(re.match(r"(mcp__cn__|mcp_cn_|cn__|cn_)", name)) or name in ("find", "inspect", "map_file", "overview")


def _event(name: str, document: Document) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(document)}\n\n".encode()


def _text(content: Any) -> str:
    """What a model reads of a message's content."""
    if isinstance(content, list):
        return "".join(str(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def messages(model: Model, asked: Document) -> Events:
    """Anthropic's Messages API."""
    offered = asked.get("tools") or []
    model.deferred = max(model.deferred, sum(_ours(tool["name"]) for tool in offered if tool.get("defer_loading")))
    results = [
        _text(part.get("content", ""))
        for message in asked.get("messages", ())
        if isinstance(message["content"], list)
        for part in message["content"]
        if part.get("type") == "tool_result"
    ]
    call = model.next({tool["name"]: tool for tool in offered if not tool.get("defer_loading")}, results)
    usage = {"input_tokens": 1, "output_tokens": 1}
    yield "message_start", {"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "mock"), "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage}}  # fmt: skip
    if call is None:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}
    else:
        block = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if call is None else "tool_use"
    yield (
        "message_delta",
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
    )
    yield "message_stop", {"type": "message_stop"}


def responses(model: Model, asked: Document) -> Events:
    """OpenAI's Responses API. Tools may stand in namespaces."""
    tools: dict[str, Document] = {}
    spaces: dict[str, str] = {}
    for tool in asked.get("tools") or []:
        if tool.get("type") == "namespace":
            for inner in tool["tools"]:
                name = (
                    tool["name"] + inner["name"] if tool["name"].endswith("__") else f"{tool['name']}__{inner['name']}"
                )
                tools[name] = inner
                spaces[name] = tool["name"]
        elif "name" in tool:
            tools[tool["name"]] = tool
    results = [
        _text(item.get("output")) for item in asked.get("input", ()) if item.get("type") == "function_call_output"
    ]
    call = model.next(tools, results)
    yield "response.created", {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress"}}
    if call is None:
        content = [{"type": "output_text", "text": "done", "annotations": []}]
        item: Document = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content}
    else:
        item = {"type": "function_call", "id": f"fc_{len(results)}", "call_id": f"call_{len(results)}", "name": call[0],
                "arguments": json.dumps(call[1]), "status": "completed"}  # fmt: skip
        if call[0] in spaces:
            item |= {"name": plain(call[0]), "namespace": spaces[call[0]]}
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
             "total_tokens": 2}  # fmt: skip
    done = {"id": "resp_1", "status": "completed", "output": [item], "usage": usage}
    yield "response.completed", {"type": "response.completed", "response": done}


def completions(model: Model, asked: Document) -> Events:
    """OpenAI's Chat Completions API."""
    tools = {tool["function"]["name"]: tool for tool in asked.get("tools") or []}
    results = [_text(message.get("content")) for message in asked.get("messages", ()) if message["role"] == "tool"]
    call = model.next(tools, results)
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "mock"}
    if call is None:
        delta: Document = {"role": "assistant", "content": "done"}
    else:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        one = {"index": 0, "id": f"call_{len(results)}", "type": "function", "function": function}
        delta = {"role": "assistant", "content": None, "tool_calls": [one]}
    yield "", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    reason = "stop" if call is None else "tool_calls"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield "", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}


def _completion(events: list[tuple[str, Document]]) -> Document:
    (_, first), (_, last) = events
    ended = last["choices"][0]["finish_reason"]
    choice = {"index": 0, "message": first["choices"][0]["delta"], "finish_reason": ended}
    return {**last, "object": "chat.completion", "choices": [choice]}


def contents(model: Model, asked: Document) -> Events:
    """Gemini's generateContent."""
    tools = {one["name"]: one for tool in asked.get("tools") or [] for one in tool.get("functionDeclarations", ())}
    results = [
        _text(part["functionResponse"]["response"].get("output", part["functionResponse"]["response"]))
        for content in asked.get("contents", ())
        for part in content.get("parts", ())
        if "functionResponse" in part
    ]
    call = model.next(tools, results)
    part: Document = {"text": "done"} if call is None else {"functionCall": {"name": call[0], "args": call[1]}}
    yield (
        "",
        {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        },
    )


PROTOCOLS = {
    r"/messages(\?|$)": messages,
    r"/responses(\?|$)": responses,
    r"/chat/completions": completions,
    r"[gG]enerateContent": contents,
}
WHOLE = {r"/chat/completions": _completion, r"[gG]enerateContent": lambda events: events[0][1]}
