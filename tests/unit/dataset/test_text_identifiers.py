"""Direct identifiers inside text: labelled sentences, and each pattern against a restatement in plain Python."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import duckdb
import pytest
from stdnum import luhn

from duckanon.dataset.person_names import given_names, surnames
from duckanon.dataset.text_identifiers import TextIdentifiers, replace_texts, text_identifiers
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.engine.templates import environment, render

NAMES, MAILS, PHONES, STREETS, RECORDS = (
    "names of persons",
    "e-mail addresses",
    "telephone numbers",
    "street addresses",
    "record numbers",
)

WITH = {
    NAMES: (
        "Seen by Dr. Maria Kovac",
        "Referred to Dr Okonkwo on Monday",
        "dr. Müller called back",
        "Mrs. Thompson reports pain",
        "Mr O'Brien was discharged",
        "Ms. Lee-Wong declined the test",
        "Prof. Dr. med. Schreiber übernimmt",
        "Überweisung durch Frau Dr. Schäfer",
        "Herr Weidenfeller klagt über Schmerzen",
        "Angehörige von Herrn Stoll informiert",
        "Mme Lefèvre a téléphoné",
        "Vu avec M. Dubois ce matin",
        "La Sra. Pérez no acudió",
        "Parlato con la Signora Bianchi",
        "Accompanied by her son Peter Blomqvist",
        "Spoke with Jennifer K. Stone about the results",
        "Contact person: Karl-Heinz von Droste",
        "José Ibarra signed the form",
        "Kovacs, Maria: follow-up in two weeks",
        "informed consent signed by JOHN SMITH",
        "Пришла Анна Иванова",
    ),
    MAILS: (
        "write to maria.kovac@clinic.example.org please",
        "Kontakt: h.weber+praxis@gmx.de",
        "mail:jo_b@uni-graz.ac.at",
    ),
    PHONES: (
        "call 555-019-2244",
        "reachable at (555) 019-2244 after five",
        "Tel. +49 170 1234567",
        "ring +44 (0)20 7946 0958",
        "Handy 0171/2345678",
        "joindre au 06 12 34 56 78",
        "phone 555-0192",
        "fax: 030 1234567",
        "0043 664 1234567 anrufen",
    ),
    STREETS: (
        "lives at 12 Berg Street",
        "moved to 221B Baker St.",
        "new address 7 St. John's Road, flat 2",
        "wohnt Bergstraße 12",
        "Hauptstr. 5a, 2. Stock",
        "Lange Strasse 7",
        "habite 12 rue de la Paix",
        "5, avenue Foch",
        "vive en Calle Mayor 14",
        "abita in via Garibaldi 8",
        "1600 Pennsylvania Avenue",
    ),
    RECORDS: (
        "mrn A12345678",
        "MRN: 0045123",
        "patient 4711203 was moved",
        "Patienten-Nr. 88231104",
        "see chart no. 552310",
        "insurance number AB-123456",
        "ID 90210455 verified",
        "dossier n° 4455667",
    ),
    "US social security numbers": ("ssn 078-05-1120 on file",),
    "IBANs": ("refund to DE89370400440532013000", "pay GB82 WEST 1234 5698 7654 32 today"),
    "payment card numbers": ("paid with 4111 1111 1111 1111", "card 5500000000000004 declined"),
    "URLs": ("profile at https://example.org/u/mkovac", "see www.mkovac.example"),
    "IP addresses": ("login from 192.168.17.44 failed", "host 10.0.0.7"),
    "MAC addresses": ("device 00:1A:2B:3C:4D:5E",),
}
"""Sentences by what they hold."""

WITHOUT = (
    "St. Mary hospital",
    "transferred from St. Mary Hospital",
    "Street",
    "Type 2",
    "version 4.1.0.2",
    "updated to version 10.0.19.1",
    "May",
    "Grace period",
    "Grace Period",
    "diabetes mellitus type 2, HbA1c 7.2 %",
    "BP 120/80, pulse 72, 36.8 C",
    "RR 120 80 72 16 98",
    "vision +2.00 -1.25 x 90",
    "seen on 2024-01-05 at 10:30",
    "seen 05.06.2024, next 12.07.2024",
    "call back on 12.01.2024",
    "05-06-2024 10:30 blood drawn",
    "M. Parkinson seit 2012",
    "V. a. Morbus Crohn",
    "MS Patient, stable",
    "MR Angiography ordered",
    "5 ms After stimulus",
    "no 10000 IU given",
    "Lot no. 445566 expired",
    "batch number 7788123",
    "20 mg twice daily for 10 days",
    "Mark all answers",
    "patient 45 years old",
    "patient reports no pain",
    "case closed in 2019",
    "Ward 12, bed 3",
    "ICD-10 E11.9",
    "Alzheimer Disease, early onset",
    "Hodgkin Lymphoma in remission",
    "Atemweg frei, Sättigung 98 %",
    "Der Patient klagt über Schmerzen im linken Knie",
    "La patiente se plaint de douleurs",
    "Paciente con fiebre de 38,5 grados",
    "Blue Cross Plan, Second Tier",
    "Exec-managerial",
    "Prof-specialty",
    "New York City",
    "ratio 3:1 and 12:30:45",
    "p < 0.05, n = 1204",
    "ISBN 978-3-16-148410-0",
    "order number 1234567890",
    "room no. 12345",
    "code 1234 5678 9012 3456",
    "IBAN unknown",
    "AB12CDEFGHIJKLMNOP",
    "3 of 10 Way points",
    "www",
    "user@localhost",
    "@home since Friday",
    "5 Days after surgery",
    "患者今天没有疼痛",
    "المريض لا يشكو من ألم",
    "Пациент жалоб не имеет",
    "  ",
)
"""Sentences that hold none."""


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    with DuckDBEngine() as engine:
        yield engine


def held(engine: DuckDBEngine, texts: Sequence[str | None], name: str = "note") -> TextIdentifiers | None:
    """What a column of these texts holds."""
    engine.load("records", [{name: text} for text in texts], {name: str})
    return text_identifiers(engine, [Column(name, "VARCHAR")]).get(name)


def identified(engine: DuckDBEngine, texts: Sequence[str | None]) -> set[str]:
    """The texts that hold direct identifiers."""
    engine.load("source", [{"note": text} for text in texts], {"note": str})
    replace_texts(engine, [Column("note", "VARCHAR")], {"note": "blank"})
    return {text for (text,) in engine.query(render("dataset/copy", columns=["_text"], relation="replaced_texts_note"))}


def test_precision_and_recall_on_labelled_sentences(engine: DuckDBEngine) -> None:
    """All of these sentences, in ten languages, are judged right."""
    positive, negative = {text for texts in WITH.values() for text in texts}, {*WITHOUT}
    assert len(positive | negative) >= 110
    actual = identified(engine, [*positive, *negative])
    precision, recall = len(actual & positive) / len(actual), len(actual & positive) / len(positive)
    assert (precision, recall) == (1, 1), (actual - positive, positive - actual)


@pytest.mark.parametrize("kind", WITH)
def test_each_sentence_has_its_kind(engine: DuckDBEngine, kind: str) -> None:
    identifiers = held(engine, [*WITH[kind], *WITHOUT, None])
    assert identifiers is not None
    assert identifiers.kinds[0] == kind
    assert (identifiers.cells, identifiers.identified) == (len(WITH[kind]) + len(WITHOUT), len(WITH[kind]))


def is_mail(word: str) -> bool:
    local, _, domain = word.partition("@")
    return (
        bool(local) and "." in domain and all(part.isalnum() for part in domain.split(".")) and len(domain.split(".")[-1]) > 1
    )


def is_ip(word: str) -> bool:
    parts = word.split(".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        return False
    return parts[0] == "10" or any(int(part) > 31 for part in parts)


def is_mac(word: str) -> bool:
    parts = word.replace("-", ":").split(":")
    return len(parts) == 6 and len({*word} & {":", "-"}) == 1 and all(len(part) == 2 and {*part} <= {*HEX} for part in parts)


def is_social_security(word: str) -> bool:
    parts = word.split("-")
    if [len(part) for part in parts] != [3, 2, 4] or not "".join(parts).isdigit():
        return False
    area, group, serial = map(int, parts)
    return area not in (0, 666) and area < 900 and group > 0 and serial > 0


def remainder(word: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in word)) % 97


HEX = "0123456789abcdefABCDEF"
RESTATED: Mapping[str, Callable[[str], bool]] = {
    MAILS: is_mail,
    "IP addresses": is_ip,
    "MAC addresses": is_mac,
    "US social security numbers": is_social_security,
    "IBANs": lambda word: len(word) >= 15 and word[:2].isalpha() and word.isupper() and remainder(word[4:] + word[:4]) == 1,
    "payment card numbers": lambda word: word.isdigit() and 13 <= len(word) <= 19 and word[0] in "3456" and luhn.is_valid(word),
    "URLs": lambda word: word.startswith(("http://", "https://")) or (word.startswith("www.") and word.count(".") > 1),
}


def drawn_word(draw: random.Random) -> str:
    """A word that is an identifier, nearly one, or none."""
    digits = "".join(draw.choice("0123456789") for _ in range(19))
    account = draw.choice(("89", f"{draw.randrange(100):02d}")) + "370400440532013000"
    octets = [
        draw.choice(("10", "0", "7", "31", "32", "192", "255", "256", "300")) for _ in range(draw.choice((3, 4, 4, 4, 5)))
    ]
    pairs = ["".join(draw.choice(HEX[:16]) for _ in "12") for _ in range(draw.choice((5, 6)))]
    return draw.choice(
        (
            draw.choice(("pain", "dose", "knee", "and", "x")),
            f"{draw.choice(('', 'jo', 'a1'))}@{draw.choice(('b', 'b.c', 'b.de', 'mail.b.org', '.de'))}",
            ".".join(octets),
            draw.choice((":", "-", "")).join(pairs),
            f"{draw.choice(('000', '078', '666', '667', '899', '901'))}-{draw.choice(('00', '05'))}-{draw.choice(('0000', '1120'))}",
            draw.choice(("DE", "XX", "de")) + account,
            draw.choice("2345") + digits[: draw.choice((11, 12, 14, 15, 15, 15, 18))],
            f"{draw.choice(('http://', 'https://', 'www.', 'www.an.', 'http:', 'ww.'))}example",
            digits[:4],
        )
    )


def kinds_in(texts: Sequence[str]) -> dict[str, set[str]]:
    """The kinds of direct identifiers of each text that holds any."""
    template = environment().from_string(
        '{% from "dataset/text_identifiers.jinja" import identified_texts, kinds with context %}'
        "with texts as (select unnest($texts) as _shown, 1 as _least_words), {{ identified_texts() }} "
        "select _shown, [{% for kind in kinds %}case when _kind_{{ loop.index0 }} then {{ kind | literal }} end, {% endfor %}] from identified"
    )
    sql = template.render(given_names=given_names(), surnames=surnames())
    return {text: {*kinds} - {None} for text, kinds in duckdb.execute(sql, {"texts": list(texts)}).fetchall()}


def test_a_text_holds_what_one_of_its_words_is() -> None:
    """Against each pattern as a person would program it, word by word."""
    draw = random.Random(7)
    texts = {" ".join(drawn_word(draw) for _ in range(draw.randrange(1, 4))) for _ in range(3000)}
    actual = kinds_in([*texts])
    for kind, is_one in RESTATED.items():
        expected = {text for text in texts if any(map(is_one, text.split()))}
        assert 10 < len(expected) < len(texts) / 2, kind
        holding = {text for text in texts if kind in actual.get(text, ())}
        assert (holding - expected, expected - holding) == (set(), set()), kind


def test_a_known_name_needs_a_word_with_a_capital_letter_behind_it() -> None:
    """Against a restatement: two neighbours with capital letters, the first one a given name, or both known in any order."""
    draw = random.Random(8)
    given, family = [name.title() for name in given_names() if "-" not in name], [name.title() for name in surnames()]
    words = [*draw.sample(given, 4), *draw.sample(family, 4), "Xyzzy", "Plugh", "aches", "since", "at", "and"]
    texts = {" ".join(draw.choice(words) for _ in range(4)) for _ in range(500)}

    def holds(text: str) -> bool:
        runs = [run.split() for run in " ".join(word if word[0].isupper() else "|" for word in text.split()).split("|")]
        return any({*run[:-1]} & {*given} or (len(run) > 1 and {*run} & {*given} and {*run} & {*family}) for run in runs)

    expected = {text for text in texts if holds(text)}
    assert 50 < len(expected) < 450
    assert {text for text, kinds in kinds_in([*texts]).items() if NAMES in kinds} == expected


@pytest.mark.parametrize(
    "text", ["名前は田中です\0 電話", "\U0001f600 ok", "é" * 1000, "a" * 10_000_000, "", "'; drop table x; --", "\\d+ [x]"]
)
def test_any_text_is_read(engine: DuckDBEngine, text: str) -> None:
    assert held(engine, [text, None, "call 555-019-2244"]) == TextIdentifiers(2, 1, (PHONES,))


def test_a_place_is_no_person_and_longer_text_about_it_may_name_one(engine: DuckDBEngine) -> None:
    assert held(engine, ["Maria Lanzendorf", "Jefferson Davis"], "city") is None
    assert held(engine, ["Maria Lanzendorf", "moved there with Maria Kovac"], "city") == TextIdentifiers(2, 1, (NAMES,))
