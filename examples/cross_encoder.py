"""A transformers sequence-classification model as a recognizer; it needs torch and transformers.

ensue judge PAIRS -r command:"python examples/cross_encoder.py MODEL" \
    -s labels=contradiction=contradiction,neutral=unknown,entailment=entailment

The labels are the names in the model's config.json (id2label), or its numbers.
"""

import json
import sys

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
model = AutoModelForSequenceClassification.from_pretrained(sys.argv[1]).eval()

for line in sys.stdin:
    pair = json.loads(line)
    sides = tokenizer(pair["text"], pair["hypothesis"], truncation=True, return_tensors="pt")
    with torch.inference_mode():
        shares = model(**sides).logits[0].softmax(dim=-1)
    best = int(shares.argmax())
    verdict = {"label": model.config.id2label[best], "confidence": float(shares[best])}
    sys.stdout.write(json.dumps({"pair_id": pair["id"], **verdict}) + "\n")
    sys.stdout.flush()
