"""The program of the README, with answers from a file in the place of a model. `make demo` runs it; it needs no key.

$ python examples/invoice.py
1. severity 0.80  {"number": "R-204", "lines": {"two nights": 120, "city tax": 9}, "total": 284}
   - the lines add up to 129.0, the total is 284.0
   - two nights cost 240, and the breakfast is missing
2. severity 0.00  {"number": "R-204", "lines": {"two nights": 240, "breakfast": 35, "city tax": 9}, "total": 284}
accepted; 4 calls, 490 tokens in, 57 out, $0.0000
number='R-204' lines={'two nights': 240.0, 'breakfast': 35.0, 'city tax': 9.0} total=284.0
"""

from pathlib import Path

from pydantic import BaseModel

from jido_ai import CritiqueResult, reflect_sync
from jido_ai.models import ScriptedAnswers


class Invoice(BaseModel):
    number: str
    lines: dict[str, float]
    total: float


def adds_up(invoice: Invoice) -> CritiqueResult:  # a rule: exact, and no call
    found = sum(invoice.lines.values())
    issues = [] if found == invoice.total else [f"the lines add up to {found}, the total is {invoice.total}"]
    return CritiqueResult(severity=0.8 if issues else 0.0, issues=issues)


mail = "Invoice R-204: two nights at 120 each, breakfast 35, city tax 9. To pay: 284."
model = ScriptedAnswers(Path(__file__).with_name("invoice.answers.toml").read_text("utf-8"), "invoice.answers.toml")
result = reflect_sync(f"Extract the invoice. {mail}", output=Invoice, generator=model, critiquer=[adds_up, model])
print(result)
print(result.output)
