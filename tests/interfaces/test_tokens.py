"""The estimate of tokens beside what o200k_base makes of the same texts (gpt-tokenizer 4.0.0)."""

from __future__ import annotations

import pytest

from cn_daemon.interfaces.tokens import estimated

COUNTED = (
    (49,
     'Class Admin src/user.ts:47:14\n'
     '  export class Admin extends User {\n'
     'src/index.ts\n'
     '  7:16 export { User, Admin, type Role } from "./user";\n'
     'complete · 5 references in 3 files\n'),
    (60,
     '  12:5 const{a,b:[c,,d]=[1,2,3],...e}=f?.(g??{})!;\n'
     '  13:1 if(!(a&&b||c)){return[...d].map(x=>({...x,y:z[0]}))}\n'),
    (21,
     '  4:2 export const internationalizationConfiguration = resolveInternationalizati'
     'on(supercalifragilistic);\n'),
    (25,
     'dwtgmlqucavltalsfyxaaoyjfkaflmggflhavoqezwdissykvr'),
    (57,
     'sha512-Nq7o9hZ7dT3Vw1kqJq0Yx5sVYQm8G0pM2mX7Ck5Z1n0w4o3xw2m1hQ=='),
    (18,
     '0xdeadbeefcafebabe1234 0xfeedface99887766'),
    (38,
     '  9:1 // 漢字のテストをする関数です\n'
     '  10:3 const größe = "🎉🚀👩\u200d💻";\n'),
    (6,
     '  \t\t  \n'
     '\n'
     '\n'
     '   \n'
     '  \t\t  \n'),
    (36,
     '=>!==&&||??=...{}[]()<>;;=>!==&&||??=...{}[]()<>;;=>!==&&||??=...{}[]()<>;;'),
    (44,
     'apps/web/modules/ee/contacts/segments/lib/segments.test.ts:54:3\n'
     '  1024:77 HTTPServerXHRJSXHTML.parseURLSearchParams(x1, y22, z333);\n'),
)  # fmt: skip


@pytest.mark.parametrize(("tokens", "text"), COUNTED)
def test_it_is_never_lower(tokens: int, text: str) -> None:
    assert tokens <= estimated(text) <= 2.5 * tokens


def test_any_text_has_one() -> None:
    assert estimated("") == 0
    assert estimated("\ud800") > 0
