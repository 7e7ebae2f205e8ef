from cn_daemon.domain.libraries.ranking.fusion import fused


def test_what_several_rankings_have_comes_before_what_one_has() -> None:
    assert fused([["a", "b", "c"], ["d", "c"], ["e", "c"]]) == ["c", "a", "d", "e", "b"]
    assert fused([["a", "b"], ["b", "a"]]) == ["a", "b"]
    assert fused([[], ["x"], []]) == ["x"]
    assert fused([]) == []
