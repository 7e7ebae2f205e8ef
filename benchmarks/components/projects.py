"""The applications that are measured, pinned, with the declarations of what they import; and the language servers of
the frameworks, which are the oracle. All is fetched into a folder of the benchmark's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.navigation.projects import FetchError, Package, fetch, unpack


@dataclass(frozen=True)
class Clone:
    """A folder of a git repository at a commit. without: what is left out, as copies of the rest, what runs and what
    imports that."""

    url: str
    commit: str
    folder: str = ""
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Project:
    """ending: of its components. dependencies: what npm installs for their types, at exact versions. files: what the
    application does not ship, or what stands for its configuration. prepare: a program of a dependency, with
    arguments, that writes declarations."""

    name: str
    ending: str
    source: Package | Clone
    dependencies: Mapping[str, str]
    files: Mapping[str, object] = field(default_factory=dict)
    prepare: tuple[str, ...] = ()


def _tsconfig(include: list[str], **options: object) -> dict[str, object]:
    common = {"target": "ESNext", "module": "ESNext", "moduleResolution": "bundler", "strict": True, "noEmit": True}
    return {"compilerOptions": {**common, "skipLibCheck": True, **options}, "include": include}


# What elk's own configuration says of imports.
_NUXT = """export default defineNuxtConfig({
  modules: ["@vueuse/nuxt", "@pinia/nuxt", "@nuxtjs/color-mode"],
  imports: {
    dirs: [
      "./composables/masto",
      "./composables/push-notifications",
      "./composables/settings",
      "./composables/tiptap/index.ts",
    ],
    imports: [{ name: "useI18n", from: "~/utils/i18n", priority: 100 }],
    injectAtEnd: true,
  },
});"""

# What velite writes of the documents of shadcn-svelte.
_VELITE = """interface Doc {
  title: string;
  description: string;
  date?: string;
  path: string;
  navLabel?: string;
  links?: { doc?: string; api?: string; source?: string };
  component: boolean;
  toc: unknown[];
  slug: string;
  slugFull: string;
}
export declare const changelog: Doc[];
export declare const components: Doc[];
export declare const darkMode: Doc[];
export declare const forms: Doc[];
export declare const gettingStarted: Doc[];
export declare const installation: Doc[];
export declare const migration: Doc[];
export declare const registry: Doc[];"""

# What astrowind's declarations of `astrowind:config` mean: they import a file that is not there, by a path that
# TypeScript does not follow in an ambient module.
_ASTROWIND = """declare module "astrowind:config" {
  export const SITE: import("./utils/configBuilder").SiteConfig;
  export const I18N: import("./utils/configBuilder").I18NConfig;
  export const METADATA: import("./utils/configBuilder").MetaDataConfig;
  export const APP_BLOG: import("./utils/configBuilder").AppBlogConfig;
  export const UI: import("./utils/configBuilder").UIConfig;
  export const ANALYTICS: import("./utils/configBuilder").AnalyticsConfig;
}"""

PROJECTS = (
    Project(
        "slidev",
        ".vue",
        Package(
            "@slidev/client",
            "53.0.0",
            "sha512-y95YzIeqEhXGAKQ0BabG7QLBYwDaqwjtAAttNmJL9E2qmgSoEuIg2KVMIyz15bdchS6XyouqlDiNdzgDag47Kw==",
        ),
        {
            "@slidev/parser": "53.0.0",
            "@slidev/types": "53.0.0",
            "@vueuse/core": "14.4.0",
            "typescript": "5.9.3",
            "vite": "6.4.1",
            "vitest": "3.2.4",
            "vue": "3.5.42",
            "vue-router": "4.5.1",
        },
        {"tsconfig.json": _tsconfig(["**/*.ts", "**/*.vue"], jsx="preserve", types=["vite/client"])},
    ),
    Project(
        "elk",
        ".vue",
        Clone(
            "https://github.com/elk-zone/elk",
            "ae4ebf3375eb68f1f355390b4f163adb10f5026c",
            without=("modules", "config/pwa.ts", "tests", "service-worker", "docs", "scripts"),
        ),
        {
            "@nuxtjs/color-mode": "4.0.0",
            "@pinia/nuxt": "0.11.2",
            "@tiptap/core": "2.27.2",
            "@tiptap/pm": "2.27.2",
            "@tiptap/suggestion": "2.27.2",
            "@tiptap/vue-3": "2.27.2",
            "@vueuse/core": "13.9.0",
            "@vueuse/gesture": "2.0.0",
            "@vueuse/nuxt": "14.1.0",
            "floating-vue": "5.2.2",
            "fuse.js": "7.0.0",
            "idb-keyval": "6.2.2",
            "masto": "7.12.0",
            "nuxt": "4.4.2",
            "pinia": "3.0.3",
            "scule": "1.3.0",
            "std-env": "3.7.0",
            "typescript": "5.9.3",
            "ufo": "1.5.4",
            "ultrahtml": "1.6.0",
            "virtua": "0.49.0",
            "vite": "7.1.7",
            "vue": "3.5.42",
            "vue-i18n": "11.1.12",
            "vue-router": "4.6.3",
        },
        {
            "package.json": {"name": "elk", "private": True, "type": "module"},
            "nuxt.config.ts": _NUXT,
        },
        ("nuxt/bin/nuxt.mjs", "prepare"),
    ),
    Project(
        "shadcn-svelte",
        ".svelte",
        Clone(
            "https://github.com/huntabyte/shadcn-svelte",
            "bf4f461d88526359d0e96e1950f637912bbeebe7",
            "docs",
            ("src/lib/registry/examples", "src/lib/registry/blocks"),
        ),
        {
            "@internationalized/date": "3.12.0",
            "@lucide/svelte": "0.577.0",
            "@prettier/sync": "0.6.1",
            "@sveltejs/kit": "2.60.1",
            "@tabler/icons-svelte": "3.35.0",
            "@tanstack/table-core": "8.21.3",
            "@types/hast": "3.0.4",
            "@types/mdast": "4.0.4",
            "bits-ui": "2.16.3",
            "clsx": "2.1.1",
            "embla-carousel-svelte": "8.6.0",
            "formsnap": "2.0.1",
            "mdsx": "0.0.7",
            "mode-watcher": "1.1.0",
            "paneforge": "1.0.2",
            "rehype-pretty-code": "0.14.1",
            "rehype-slug": "6.0.0",
            "remark-gfm": "4.0.1",
            "runed": "0.37.1",
            "shiki": "3.20.0",
            "svelte": "5.55.7",
            "svelte-sonner": "1.1.0",
            "tailwind-merge": "3.5.0",
            "tailwind-variants": "3.2.2",
            "typescript": "5.9.3",
            "unified": "11.0.5",
            "unist-builder": "4.0.0",
            "unist-util-visit": "5.0.0",
            "vaul-svelte": "1.0.0-next.7",
        },
        {
            "tsconfig.json": _tsconfig(
                ["src/**/*.ts", "src/**/*.svelte"],
                verbatimModuleSyntax=True,
                isolatedModules=True,
                types=["@sveltejs/kit"],
                paths={"$lib": ["./src/lib"], "$lib/*": ["./src/lib/*"], "$content/*": ["./.velite/*"]},
            ),
            ".velite/index.d.ts": _VELITE,
        },
    ),
    Project(
        "chat-ui",
        ".svelte",
        Clone(
            "https://github.com/huggingface/chat-ui",
            "c100c162fcc3e2347a5b716a4f8b79ea8ead25b2",
            without=("scripts", "tests", "docs", "stub", "server.js"),
        ),
        {
            "@huggingface/hub": "2.2.0",
            "@huggingface/inference": "4.13.21",
            "@modelcontextprotocol/client": "2.0.0",
            "@sveltejs/kit": "2.60.1",
            "@sveltejs/vite-plugin-svelte": "5.1.1",
            "@types/katex": "0.16.7",
            "@types/node": "22.19.0",
            "@types/uuid": "9.0.8",
            "bits-ui": "2.16.3",
            "date-fns": "2.30.0",
            "isomorphic-dompurify": "2.36.0",
            "marked": "12.0.2",
            "mongodb": "5.9.2",
            "openai": "4.104.0",
            "superjson": "2.2.6",
            "svelte": "5.55.7",
            "typescript": "5.9.3",
            "unplugin-icons": "0.16.6",
            "uuid": "10.0.0",
            "vite": "6.4.1",
            "vitest": "3.2.4",
            "vitest-browser-svelte": "0.1.0",
            "zod": "3.25.76",
        },
        {"svelte.config.js": "export default {};"},
        ("@sveltejs/kit/svelte-kit.js", "sync"),
    ),
    Project(
        "starlight",
        ".astro",
        Clone(
            "https://github.com/withastro/starlight",
            "3999be7cc18b41095d61e3b63d68ff3e6c6c050b",
            "packages/starlight",
        ),
        {"@astrojs/mdx": "8.0.0", "astro": "7.2.10", "i18next": "26.0.7", "typescript": "5.9.3"},
        {
            "tsconfig.json": _tsconfig(
                ["**/*.ts", "**/*.astro"],
                jsx="preserve",
                allowJs=True,
                allowImportingTsExtensions=True,
                resolveJsonModule=True,
            )
        },
    ),
    Project(
        "astrowind",
        ".astro",
        Clone("https://github.com/onwidget/astrowind", "2e8f6ec459bc7363928f6c3bb1f5ea0c929930c6"),
        {
            "@astrojs/mdx": "4.3.3",
            "@astrojs/partytown": "2.1.4",
            "@astrojs/rss": "4.0.12",
            "@astrojs/sitemap": "3.4.2",
            "@astrolib/analytics": "0.6.1",
            "@astrolib/seo": "1.0.0-beta.8",
            "@types/js-yaml": "4.0.9",
            "@types/lodash.merge": "4.6.9",
            "astro": "5.12.9",
            "astro-embed": "0.9.0",
            "astro-icon": "1.1.5",
            "limax": "4.1.0",
            "lodash.merge": "4.6.2",
            "tailwind-merge": "2.6.0",
            "typescript": "5.9.3",
            "unpic": "4.1.3",
        },
        {"astro.config.ts": "export default {};", "vendor/integration/types.d.ts": _ASTROWIND},
        ("astro/astro.js", "sync"),
    ),
)

# It is measured how right answers are, not how fast the machine is.
_PATIENT = {"request_timeout_s": 110}

SERVERS = {
    "@astrojs/language-server": "2.17.1",
    "@emnapi/runtime": "1.11.3",  # which those of Astro expect beside them
    "@vue/language-server": "2.2.12",
    "svelte-language-server": "0.18.4",
    "typescript": "5.9.3",
}
# One of its dependencies is had from git otherwise.
_QUIETLY = ("--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent")
_OVERRIDES = {"@emmetio/css-parser": "0.4.1"}


def assemble(project: Project, work: Path) -> Path:
    """A workspace of the application, installed. Raises FetchError."""
    root = work / "workspaces" / project.name
    if not (root / "node_modules").is_dir():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(project.source, Package):
            unpack(fetch(project.source, work), root)
        else:
            _clone(project.source, root)
        for name, document in {**project.files, ".cn.json": _PATIENT}.items():
            text = document if isinstance(document, str) else json.dumps(document, indent=2)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n", "utf-8")
        modules = install(work / "dependencies" / project.name, project.dependencies)
        modules.rename(root / "node_modules")
        if project.prepare:
            program, *arguments = project.prepare
            _run(["node", f"node_modules/{program}", *arguments], root)
    return root.resolve()


def install(folder: Path, packages: Mapping[str, str]) -> Path:
    """The node_modules of a folder that has these packages; no script of any is run. Raises FetchError."""
    modules = folder / "node_modules"
    if not modules.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        manifest = {"private": True, "dependencies": dict(packages), "overrides": _OVERRIDES}
        (folder / "package.json").write_text(json.dumps(manifest), "utf-8")
        _run(
            ["npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"], folder
        )
    return modules


def _clone(source: Clone, root: Path) -> None:
    clone = root.with_name(f"{root.name}.git")
    clone.mkdir(exist_ok=True)
    _run(["git", "init", "-q"], clone)
    _run(["git", "fetch", "-q", "--depth", "1", source.url, source.commit], clone)
    _run(["git", "checkout", "-q", "FETCH_HEAD"], clone)
    shutil.rmtree(clone / ".git")
    (clone / source.folder).rename(root)
    for name in source.without:
        left_out = root / name
        if left_out.is_dir():
            shutil.rmtree(left_out)
        else:
            left_out.unlink()
    shutil.rmtree(clone, ignore_errors=True)


def _run(command: list[str], folder: Path) -> None:
    quiet = {"ASTRO_TELEMETRY_DISABLED": "1", "NUXT_TELEMETRY_DISABLED": "1"}
    told = subprocess.run(command, cwd=folder, env=os.environ | quiet, capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise FetchError(f"{' '.join(command)}: {told.stderr.strip()}")
