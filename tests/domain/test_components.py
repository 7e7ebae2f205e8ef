"""Components as Python reads them: their names, their scripts in place, the elements around a line."""

from __future__ import annotations

import pytest

from cn_daemon.domain.source.components import component_name, elements, readable, script_spans, scripts

VUE = """<template>
  <p :title='it`s'>it's {{ useUser().name }} :)</p>
  <br>
</template>
<script setup lang="ts">
const a = "b"; // c
</script>
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/AccountAvatar.vue", "AccountAvatar"),
        ("/a/account-avatar.vue", "AccountAvatar"),
        ("/a/card/index.vue", "card"),
        ("/a/+page.svelte", "+page"),
        ("/a/[id].astro", "[id]"),
    ],
)
def test_a_component_has_the_name_of_its_file(path: str, name: str) -> None:
    assert component_name(path) == name


def test_scripts_stay_where_they_are_and_of_templates_the_words() -> None:
    alone, words = scripts("a.vue", VUE), readable("a.vue", VUE)
    assert len(alone) == len(words) == len(VUE)
    assert alone.split() == ["const", "a", "=", '"b";', "//", "c"]
    assert words.splitlines()[1].split() == ["p", "title", "it", "s", "it", "s", "useUser", "name", "p"]
    assert [VUE[start:end] for start, end in script_spans("a.vue", VUE)] == ['\nconst a = "b"; // c\n']


def test_the_front_matter_of_astro_is_a_script() -> None:
    text = '---\nimport A from "./A.astro";\n---\n<A>don\'t</A>\n<script>run();</script>\n'
    assert [text[start:end] for start, end in script_spans("a.astro", text)] == [
        'import A from "./A.astro";\n',
        "run();",
    ]


def test_elements_by_their_lines_inner_ones_first() -> None:
    text = "<a>\n<b x={() => '>'}>\n</b>\n<img>\n<!-- <c> -->\n<i />\n</a>\n<script>\nif (a < b) {}\n</script>\n</d>\n"
    assert [tuple(one) for one in elements(text)] == [(2, 3), (1, 7), (8, 10)]
