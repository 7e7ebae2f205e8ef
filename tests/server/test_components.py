"""What components of Vue and Svelte need of the processes and folders around them; their answers are cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder
from tests.server.desk import TSCONFIG, Desk, place, places

pytestmark = pytest.mark.server


def test_a_component_of_svelte_asked_by_its_name_started_the_process_of_types(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    desk = Desk(tmp_path.resolve() / "work", Settings(bindings="on"))
    try:
        desk.write(
            {
                "tsconfig.json": TSCONFIG,
                "Row.svelte": "<script>export let label;</script><b>{label}</b>\n",
                "Page.svelte": '<script>import Row from "./Row.svelte";</script>\n<Row label="a" />\n',
            }
        )
        assert places(desk.find("Row").references or []) == ["Page.svelte:1", "Page.svelte:2"]
        running = [one.name for one in desk.services.language_servers() if one.state != "stopped"]
        assert running == ["bindings"]
    finally:
        assert desk.close() == []


def test_props_in_templates_of_vue_lay_nowhere_where_a_link_leads_to_the_cache(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    linked.symlink_to(cache_folder(), target_is_directory=True)
    desk = Desk(tmp_path.resolve() / "work", Settings(bindings="on", cache_directory=linked))
    try:
        desk.write(
            {
                "tsconfig.json": TSCONFIG,
                "Row.vue": '<script setup lang="ts">\ndefineProps<{ label: string }>();\n</script>\n'
                "<template>{{ label }}</template>\n",
                "Page.vue": '<script setup lang="ts">\nimport Row from "./Row.vue";\n</script>\n'
                '<template><Row v-for="one in [1]" :key="one" label="a" /></template>\n',
            }
        )
        answer = desk.find("Page.vue:4:50")
        assert place(answer.definition) == "Row.vue:2:15"
        assert places(answer.references or []) == ["Page.vue:4", "Row.vue:4"]
    finally:
        assert desk.close() == []
