"""Names of persons and addresses that few of the values are: what is detected, and what is not mistaken for one."""

from pathlib import Path

import pytest

from duckanon.dataset.direct_identifiers import matching
from tests.support.command_line import Cli
from tests.support.rows import write_parquet

NAMES = {
    "English": "Oluwadamilola Adeyemi|Siobhan Keane|Petra Vogel|Kwame Asante|Hyacinth Plum|Anna Kovač|Ram Bahadur|Tom Baines|Ute Zander|Jo Ek|Lena Horn|Ken Ito",
    "with titles": "Braund, Mr. Owen Harris|Cumings, Mrs. John Bradley|Heikkinen, Miss. Laina|Allen, Mr. William|Moran, Mr. James|Nasser, Mrs. Nicholas",
    "Spanish": "GARCÍA LÓPEZ, MARÍA|PÉREZ DÍAZ, JUAN|UGARTE, IÑAKI|SOLER PONS, NÚRIA|ROMERO GIL, ANA",
    "Russian": "Иван Петров|Анна Смирнова|Олег Кузнецов|Дарья Белова|Семён Орлов|Ольга Попова",
    "Chinese": "Wang Xiaoming|Li Na|Zhang Wei|Liu Yang|Chen Jie|Yang Min",
    "Polish": "Zbigniew Zając|Agnieszka Wrona|Krzysztof Żak|Ola Mróz|Piotr Kot|Ewa Sowa",
}
PARTS = {
    "first": "Anna|Peter|Ludmila|Ronja|Kiara|Jaxon|Ava|Mia|Emma|Liam|Noel|Ada|Mabel|Otto",
    "last": "Müller|Schmidt|Özdemir|Krawczyk|Baumgartner|Nowak|Rossi|Dubois|Haller|Winter|Sommer|Frost|Bergmann",
}
SOME = {
    "IP addresses": "10.0.0.5|192.168.1.20|172.16.5.4|unknown|-|localhost|8.8.8.8|1.1.1.1|2001:db8::1",
    "host names": "unicomp6.unicomp.net|burger.letters.com|d104.aa.net|129.94.144.152|slip1.yab.com|web-3.intern|gw.lan|none",
    "e-mail addresses": "a@b.de|see note|call me|x@y.org|unknown|none|c@d.com|other",
    "IBANs": "DE89370400440532013000|GB82WEST12345698765432|none|n/a|FR1420041010050500013M02606|x|y|z",
    "telephone numbers": "+49 170 1234567|(212) 555-0101|n/a|none|030/123456|unbekannt|a|b",
    "MAC addresses": "00:1b:44:11:3a:b7|00:1b:44:11:3a:b8|none|none yet|lost|x|y",
    "URLs": "https://example.org/a|https://example.org/b|none|later|x|y|z",
}
OTHERS = {
    "cities": "New York|Los Angeles|Chicago|Houston|Phoenix|San Antonio|San Diego|Dallas|Jacksonville|Austin|Fort Worth|San Jose|Columbus|Charlotte|Denver|Nashville|El Paso|Boston|Portland"
    "|Memphis|Baltimore|Tucson|Fresno|Mesa|Atlanta|Omaha|Raleigh|Miami|Tulsa|Tampa|Madison|Lincoln|Aurora|Santa Ana|Saint Paul|Plano|Irvine|Newark",
    "German cities": "Berlin|Hamburg|München|Köln|Frankfurt am Main|Stuttgart|Essen|Bremen|Dresden|Hannover|Bochum|Bonn|Münster|Karlsruhe|Mannheim|Augsburg|Sankt Augustin|Bad Homburg",
    "countries": "Jordan|Chad|Georgia|Israel|France|Germany|Spain|Italy|Cuba|Peru|Chile|Brazil|Mali|Kenya|San Marino|Saint Lucia|Dominica|Costa Rica|Panama|Mexico|Nepal|Ireland",
    "months": "January|February|March|April|May|June|July|August|September|October|November|December",
    "weekdays": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    "few places": "Jordan|Austin|Paris|Chelsea|Madison|Charlotte",
    "few categories": "Anna|Peter|Maria|John|Paul|Mary",
    "brands": "Ford|Toyota|Tesla|Lincoln|Chevrolet|Dodge|Chrysler|Renault|Peugeot|Citroen|Fiat|Ferrari|Lancia|Alfa Romeo|Skoda|Audi|Opel|Honda|Mazda|Subaru|Suzuki|Volvo|Saab",
    "products": "iPhone 12|Galaxy S9|Pixel 4|ThinkPad X1|MacBook Pro|Surface Pro|XPS 13|Kindle|Echo Dot|Alexa|Fire TV|PlayStation 5",
    "wards": "Cardiology|Oncology|Neurology|Surgery|Paediatrics|Radiology|Psychiatry|Urology|Orthopaedics|Dermatology|Intensive Care|Emergency",
    "schools": "Johns Hopkins University|Duke University|Harvard|Yale|MIT|Stanford|King's College|Saint Mary's|William and Mary|Wellesley|Carnegie Mellon|Smith College",
    "streets": "Main Street|Oak Avenue|Park Road|Martin Luther King Boulevard|Elm Street|Washington Avenue|Maple Lane|Second Street|Church Road|High Street",
    "versions": "4.1.0.2|4.1.0.3|5.0.0.1|5.0.1.0|5.2.0.0|6.0.0.0|6.1.12.4",
    "files": "report.pdf|data.csv|index.html|main.py|a.txt|node.js|x.docx|y.xlsx|z.zip|v.png",
    "times": "12:30:45|12:31:45|12:32:00|13:00:00|14:11:11|15:10:10",
}


def detected(texts: str) -> tuple[str, bool] | None:
    match = matching(texts.split("|"))
    return None if match is None else (match.what, match.is_sure)


@pytest.mark.parametrize("language", NAMES)
def test_full_names(language: str) -> None:
    assert detected(NAMES[language]) == ("names of persons", True)


@pytest.mark.parametrize("which", PARTS)
def test_first_and_last_names(which: str) -> None:
    assert detected(PARTS[which]) == ("first or last names", True)


@pytest.mark.parametrize("what", SOME)
def test_a_fifth_of_the_values_is_enough(what: str) -> None:
    assert detected(SOME[what]) == (what, True)


@pytest.mark.parametrize("what", OTHERS)
def test_places_months_and_categories_are_no_names(what: str) -> None:
    assert detected(OTHERS[what]) is None


def test_fewer_are_reported_as_unsure(tmp_path: Path, cli: Cli) -> None:
    counties = "Adams|Allen|Barton|Benton|Calhoun|Carroll|Cass|Clay|Clinton|Decatur|Douglas|Fulton|Grant|Hancock|Hardin|Jasper|Knox|Lake|Lawrence|Lee|Logan|Marshall|Martin|Pike|Polk|Scott|Wayne"
    assert detected(counties) == ("first or last names", False)
    notes = [f"a@b{n % 60}.de" if n % 30 == 0 else f"note {n // 60}" for n in range(600)]
    write_parquet(tmp_path / "in.parquet", [{"age": n % 5, "sex": "fm"[n % 2], "extra": note} for n, note in enumerate(notes)])
    accepted = ("--set", "accept=direct-identifiers@extra")
    run = cli("anonymize", "in.parquet", "--qi", "age,sex", "--others", "keep", *accepted, "--strict", code=1)
    assert "warning: 'extra' is released, and its values look like e-mail addresses (" in run.err
    assert "@" not in run.err


def test_owners_and_hosts_are_not_released(tmp_path: Path, cli: Cli) -> None:
    names = [name for group in NAMES.values() for name in group.split("|")][:24]
    rows = [
        {"Owner": names[n % 24], "Host": f"192.168.{n % 24}.{n % 7}", "severity": "abc"[n % 3], "team": n % 4}
        for n in range(960)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    cli("anonymize", "in.parquet", "-o", "out.csv", code=0)
    released = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert not any(name in released for name in names)
    assert "192.168" not in released
