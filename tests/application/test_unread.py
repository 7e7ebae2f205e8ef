"""Uses that no language server tells, and that the text shows."""

from __future__ import annotations

import pytest

from tests.application.test_navigation import Bench


@pytest.mark.parametrize("use", ['user?.["rename"]("Ada");', "user?. [ 'rename' ]?.();", "user?.[`rename`]();"])
def test_a_member_taken_by_an_optional_key_was_no_use_in_silence(use: str) -> None:
    bench = Bench({"src/keyed.ts": f"import {{ User }} from './user';\n{use}\n"})
    answer = bench.find("User.rename")
    assert answer.completeness.status == "partial"
    assert answer.completeness.reason is not None
    assert answer.completeness.reason.endswith("(keyed.ts:2)")
    assert bench.find("User").completeness.status == "complete"


@pytest.mark.parametrize(
    "use", ['user["rename"]();', 'user?.["renamed"]();', "user?.[rename]();", 'user ? ["rename"] : 1;']
)
def test_other_keys_leave_no_doubt(use: str) -> None:
    bench = Bench({"src/keyed.ts": f"import {{ User }} from './user';\n{use}\n"})
    assert bench.find("User.rename").completeness.status == "complete"


def test_a_key_where_the_members_type_is_not_known_made_the_answer_partial() -> None:
    bench = Bench(
        {
            "src/keyed.ts": 'import { other } from "./other";\nother()?.["rename"]();\n',
            "src/other.ts": "export const other = () => ({});\n",
        }
    )
    assert bench.find("User.rename").completeness.status == "complete"
