"""Schemathesis over the description: whatever is sent, no server error comes back."""

import io
from datetime import timedelta

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from tests.databases import ON_BOTH

from ensue.web import create_app
from ensue.workbench import Limits, Workbench
from ensue.workbench.accounts import add_token, find_person
from ensue.workbench.challenges import Rules, make_challenge
from ensue.workbench.database import now
from ensue.workbench.datasets import add_dataset
from ensue.workbench.submissions import invite, join
from ensue.workbench.uploads import Upload

LINE = '{{"id": "{0}", "text": "a {0}", "hypothesis": "a", "gold": "entailment"}}\n'


@pytest.mark.slow
@ON_BOTH
@pytest.mark.parametrize("name", ["ada", "bob"])
def test_no_request_makes_a_server_error(workbench, name):
    wide = Workbench(workbench.database, Limits(requests=10**9))
    with wide.database.reading() as session:
        ada, bob = find_person(session, "ada"), find_person(session, "bob")
    for i in range(2):
        add_dataset(wide, ada, "", Upload("p.jsonl", io.BytesIO(LINE.format(i).encode())))
    day = timedelta(days=1)
    challenge = make_challenge(wide, ada, Rules("RTE", 1, 2, now() - day, now() + day))
    join(wide, bob, invite(wide, ada, challenge), "The Bobs")
    headers = {"authorization": f"Bearer {add_token(wide, {'ada': ada, 'bob': bob}[name], 't')}"}
    schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(wide))
    n_operations = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        n_operations += 1

        @settings(max_examples=6, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case):
            answer = case.call(headers=headers)
            assert answer.status_code < 500, (case.operation.label, answer.text)

        ask()
    assert n_operations > 50
