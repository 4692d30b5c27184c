"""Text files in the code pages that were used before UTF-8: each is read right, or its encoding is asked for."""

from itertools import product
from pathlib import Path

import pytest

from duckanon.dataset.encodings import in_utf8
from duckanon.dataset.location import locate
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.errors import InputError
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows

TEXTS = {
    "Polish": "Łódź Kraków Wałbrzych Częstochowa Świętochłowice Gdańsk Poznań Wrocław Białystok Toruń Żółkiewski Wiśniewska Dąbrowski Zieliński",
    "Czech": "Plzeň České Budějovice Ústí Hradec Králové Třebíč Děčín Příbram Žďár Novák Dvořák Němcová Procházka Kučera Veselý Horáková",
    "Hungarian": "Győr Kecskemét Székesfehérvár Szombathely Hódmezővásárhely Nyíregyháza Szűcs Szabó Kovács Tóth Erdős Petőfi Dömötör Zsófia",
    "Croatian": "Šibenik Čakovec Požega Đurđevac Varaždin Križevci Kovačić Babić Marić Jurić Novaković Knežević Vuković Željko Đurđica",
    "Romanian": "Timişoara Iaşi Bucureşti Braşov Galaţi Piteşti Botoşani Târgu Mureş Bacău Buzău Constanţa Ştefan Ţepeş Mădălina Cătălin",
    "Turkish": "İstanbul İzmir Şanlıurfa Muğla Eskişehir Çanakkale Gümüşhane Yılmaz Şahin Çelik Yıldız Öztürk Aydın Özdemir Doğan Kılıç",  # noqa: RUF001
    "German": "München Köln Düsseldorf Nürnberg Würzburg Göttingen Saarbrücken Lübeck Müller Schröder Schäfer Köhler Krüger Großmann",
    "French": "Orléans Besançon Évreux Nîmes Béziers Étienne Mâcon Angoulême François Hélène Jérôme Benoît Noël Cécile Zoé Thérèse Gaëlle",
    "Spanish": "Málaga Córdoba Cádiz León Almería Logroño Cáceres Ávila Muñoz González Rodríguez Fernández Pérez Sánchez Ramírez Ibáñez",
    "Danish": "København Århus Ålborg Køge Næstved Helsingør Sønderborg Hillerød Sørensen Jørgensen Kjær Østergaard Bøgh Møller Søren",
    "Greek": "Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα Ιωάννινα Γιώργος Δημήτρης Κωνσταντίνος Παπαδόπουλος Νικολάου Βασιλική Ελένη",
    "Russian": "Москва Екатеринбург Новосибирск Казань Челябинск Самара Иванов Смирнов Кузнецов Попова Васильев Петрова Соколов Наталья",
    "Ukrainian": "Київ Львів Харків Одеса Дніпро Запоріжжя Вінниця Чернігів Шевченко Коваленко Бондаренко Ткаченко Олійник Їжак Євген",
    "Hebrew": "ירושלים חיפה נתניה אשדוד משה דוד אברהם יוסף שרה רחל כהן לוי מזרחי פרץ ביטון דהן פרידמן גולדברג",
    "Arabic": "القاهرة الإسكندرية الرياض بغداد دمشق بيروت محمد أحمد علي فاطمة خديجة حسن حسين إبراهيم يوسف مريم عائشة",
    "Japanese": "東京都 大阪府 京都市 横浜市 名古屋 札幌 佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 さくら ひろし タカハシ ヨシダ ユウコ",
    "Chinese": "北京 上海 广州 深圳 成都 杭州 武汉 西安 南京 王伟 李娜 张敏 刘洋 陈静 杨帆 赵磊 黄勇 周杰 吴芳 徐丽",
    "Korean": "서울 부산 대구 인천 광주 대전 울산 김민수 이영희 박지훈 최수진 정우성 강하늘 조현우 윤아름 장미란",
    "Lithuanian": "Šiauliai Panevėžys Kėdainiai Plungė Mažeikiai Telšiai Jonušas Žukauskas Petrauskienė Čepaitis Šimkūnas Jūratė Eglė Rūta",
    "Vietnamese": "Hà Lâm Trân Hoàng Phan Lê Bùi Ngô Câm Châu Sang Thông Hân Bình",
}
ENCODINGS = [
    "cp1250",
    "iso8859-2",
    "cp1252",
    "iso8859-15",
    "cp1254",
    "cp1257",
    "cp1251",
    "koi8-u",
    "cp1253",
    "cp1255",
    "cp1256",
    "gb18030",
    "cp932",
    "cp949",
    "cp850",
    "cp852",
    "mac-roman",
]
CERTAIN = {
    ("Polish", "cp1250"),
    ("Polish", "iso8859-2"),
    ("Czech", "cp1250"),
    ("Hungarian", "cp1250"),
    ("Croatian", "cp1250"),
    ("Turkish", "cp1254"),
    ("German", "cp1252"),
    ("German", "iso8859-15"),
    ("French", "cp1252"),
    ("Danish", "cp1252"),
    ("Greek", "cp1253"),
    ("Russian", "cp1251"),
    ("Ukrainian", "cp1251"),
    ("Hebrew", "cp1255"),
    ("Arabic", "cp1256"),
    ("Lithuanian", "cp1257"),
}
"""Texts that need not be asked about."""


def table(language: str, rows: int) -> list[tuple[int, str, str]]:
    words = TEXTS[language].split()
    return [(20 + row % 50, words[row % len(words)], words[row * 5 % len(words)]) for row in range(rows)]


def content(rows: list[tuple[int, str, str]]) -> str:
    return "age,town,name\n" + "".join(f"{age},{town},{name}\n" for age, town, name in rows)


def encodable(text: str, encoding: str) -> bool:
    try:
        return text.encode(encoding).decode(encoding) == text
    except UnicodeError:
        return False


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_read_right_or_its_encoding_is_asked_for(language: str, tmp_path: Path) -> None:
    read, messages = set(), list[str]()
    with DuckDBEngine() as engine:
        for encoding, rows in product(ENCODINGS, (1, 2, 4, 60)):
            text = content(table(language, rows))
            if not encodable(text, encoding):
                continue
            file = tmp_path / f"{encoding}-{rows}.csv"
            file.write_bytes(text.encode(encoding))
            try:
                [converted] = in_utf8(engine, locate(file)).files
            except InputError as error:
                messages.append(str(error))
                continue
            assert converted.read_bytes().decode() == text, (encoding, rows)
            if rows == 60:
                read.add((language, encoding))
    assert [message for message in messages if "encoding" not in message] == []
    assert {pair for pair in CERTAIN if pair[0] == language} <= read


def written(path: Path, text: str, encoding: str) -> Path:
    path.write_bytes(text.encode(encoding))
    return path


RUN = ("--qi", "age", "--keep", "town,name", "--k", "1", "-o", "out.parquet", "--overwrite")


def test_the_encoding_is_named_and_an_option_replaces_it(cli: Cli, tmp_path: Path) -> None:
    written(tmp_path / "in.csv", content(table("Polish", 60)), "cp1250")
    run = cli("anonymize", "in.csv", *RUN)
    assert "'in.csv' is encoded in cp1250 (Central European, Windows)" in run.err
    assert "`encoding` names another" in run.err
    assert {row["town"] for row in read_rows(tmp_path / "out.parquet")} == set(TEXTS["Polish"].split())
    for name in ("utf-8", "cp125"):
        run = cli("anonymize", "in.csv", *RUN, "--set", f"encoding={name}")
        refused(run, 2 if name == "cp125" else 3, "encoding", narrates=True)


@pytest.mark.parametrize("command", ["anonymize", "check", "risk", "profile", "compare"])
def test_every_command_that_reads_a_file_asks_and_takes_the_answer(cli: Cli, tmp_path: Path, command: str) -> None:
    written(tmp_path / "in.csv", "age,name\n" + "20,Kovačić\n21,Kovač\n" * 5, "cp1250")
    qi = [] if command == "profile" else ["--qi", "name"]
    more = ["--k", "2", "--dry-run"] if command == "anonymize" else []
    run = cli(command, "in.csv", *qi, *more)
    refused(run, 3, "line 2", "cp1252", "cp1250", "--set encoding=", narrates=True)
    assert "Kova" not in run.err
    run = cli(command, "in.csv", *qi, *more, "--set", "encoding=cp1250", code=0)


def test_the_saved_recoding_reads_later_files_in_their_encoding(cli: Cli, tmp_path: Path) -> None:
    """The encoding of the first input stands for later ones that are not UTF-8; a file in UTF-8 is read as such."""
    text = "age,name\n" + "20,Kovačić\n21,Babić\n" * 6
    written(tmp_path / "in.csv", text, "cp1250")
    options = ("--qi", "name", "--sensitive", "age", "--k", "2", "-o", "out.csv")
    assert cli("anonymize", "in.csv", *options, "--set", "encoding=cp1250").code == 0
    for encoding in ("cp1250", "utf-8", "utf-16"):
        written(tmp_path / "later.csv", text, encoding)
        cli("apply", "out.csv.manifest.json", "later.csv", "-o", "applied.csv", "--overwrite", code=0)
        assert sorted((tmp_path / "applied.csv").read_text(encoding="utf-8").split()) == sorted(
            (tmp_path / "out.csv").read_text(encoding="utf-8").split()
        )
    assert cli("check", "out.csv", "--manifest", "out.csv.manifest.json").code == 0


def test_a_letter_of_the_end_of_a_large_file_decides(cli: Cli, tmp_path: Path) -> None:
    """The first 100,000 lines have the same text in cp1250 and iso8859-2, and only the last line differs."""
    rows = [(20, "Kovács", "Szabó")] * 100_000 + [(21, "Łaś", "Żak")]
    for encoding in ("cp1250", "iso8859-2"):
        written(tmp_path / "in.csv", content(rows), encoding)
        cli("anonymize", "in.csv", *RUN, code=0)
        assert {row["town"] for row in read_rows(tmp_path / "out.parquet")} == {"Kovács", "Łaś"}


def test_lines_in_two_encodings_are_refused(cli: Cli, tmp_path: Path) -> None:
    words = TEXTS["Polish"].split()
    lines = [f"20,{word},x\n".encode("cp1250") for word in words] + ["21,Łódź,x\n".encode()]
    (tmp_path / "in.csv").write_bytes(b"age,town,name\n" + b"".join(lines))
    assert "UTF-8" in cli("anonymize", "in.csv", *RUN, code=3).err
