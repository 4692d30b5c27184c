"""Values that look like direct identifiers."""

import random
from collections.abc import Callable, Sequence
from importlib import import_module

DRAW = random.Random(3)


def digits(length: int) -> str:
    return "".join(DRAW.choice("0123456789") for _ in range(length))


def valid(module: str, make: Callable[[], str]) -> list[str]:
    """Numbers drawn until their check digits are right, by the module that knows them."""
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    collected: list[str] = []
    while len(collected) < 20:
        text = make()
        if is_valid(text):
            collected.append(text)
    return collected


def born(length: int, *, century: bool = False) -> str:
    year = f"{DRAW.randrange(1930, 2000)}" if century else f"{DRAW.randrange(30, 100)}"
    return f"{year}{DRAW.randrange(1, 13):02d}{DRAW.randrange(1, 29):02d}{digits(length)}"


NOTICED: dict[str, Sequence[str]] = {
    "e-mail addresses": [f"user.{number}@mail{number % 3}.example.org" for number in range(20)],
    "IP addresses": [*(f"10.0.{number}.7" for number in range(18)), "2001:db8::1", "fe80::1"],
    "MAC addresses": [f"00:1b:44:11:3a:{number:02x}" for number in range(20)],
    "URLs": [f"https://example.org/u/{number}" for number in range(20)],
    "UUIDs": [f"3f2504e0-4f89-11d3-9a0c-0305e82c{number:04x}" for number in range(20)],
    "US social security numbers": [f"{number + 100:03d}-12-{number + 1000}" for number in range(20)],
    "geographic coordinates": [f"52.{number + 1000}, 13.{number + 2000}" for number in range(20)],
    "telephone numbers": [
        *(f"+49 170 {number + 1000000}" for number in range(8)),
        *(f"({number + 200}) 555-01{number:02d}" for number in range(8)),
        *(f"030/{number + 123456}" for number in range(4)),
    ],
    "IBANs": valid("iban", lambda: f"DE{digits(20)}"),
    "payment card numbers": valid("luhn", lambda: f"4{digits(15)}"),
    "mobile device numbers (IMEI)": valid("imei", lambda: f"9{digits(14)}"),
    "national identification numbers (Netherlands)": valid("nl.bsn", lambda: digits(9)),
    "national identification numbers (Poland)": valid("pl.pesel", lambda: born(5)),
    "national identification numbers (Brazil)": valid("br.cpf", lambda: digits(11)),
    "national identification numbers (Germany)": valid("de.idnr", lambda: f"1{digits(10)}"),
    "national identification numbers (France)": valid("fr.nir", lambda: f"1{born(9)[:4]}75{digits(8)}"),
    "national identification numbers (China)": valid("cn.ric", lambda: f"110101{born(4, century=True)}"),
}
