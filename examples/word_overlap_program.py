"""A recognizer without dependencies: pairs on standard input, verdicts on standard output.

ensue judge examples/pairs.xml -r command:"python examples/word_overlap_program.py"
"""

import json
import sys

for line in sys.stdin:
    pair = json.loads(line)
    text = set(pair["text"].lower().split())
    missing = [word for word in pair["hypothesis"].lower().split() if word not in text]
    score = 1 - len(missing) / max(len(pair["hypothesis"].split()), 1)
    verdict = {
        "pair_id": pair["id"],
        "label": "entailment" if score > 0.65 else "not-entailment",
        "score": score,
        "explanation": f"the text lacks: {', '.join(missing) or 'nothing'}",
    }
    sys.stdout.write(json.dumps(verdict) + "\n")
    sys.stdout.flush()  # an answer that stays in a buffer is late
