"""Text that Microsoft Presidio anonymized, if it is installed."""

from collections.abc import Sequence

from duckanon.errors import JobError

_INSTALL = "pip install 'duckanon[text]'"


def anonymized(texts: Sequence[str]) -> list[str]:
    """Each text with a label such as `<PERSON>` in place of what Presidio finds; raises `JobError` if it, or a model of spaCy, is not installed."""
    try:
        import spacy
        import tldextract
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import NlpEngineProvider
        from presidio_anonymizer import AnonymizerEngine
    except ImportError as error:
        raise JobError(
            f"`text: presidio` needs packages that are not installed: {_INSTALL}; `text: blank` needs none"
        ) from error
    models = sorted(spacy.util.get_installed_models(), key=lambda name: (not name.startswith("en"), name))
    if not models:
        raise JobError(
            "`text: presidio` needs a model of spaCy, and none is installed: see https://spacy.io/models; `text: blank` needs none"
        )
    language = models[0][:2]
    # its default is a model and a list of domains that would be fetched now
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())
    provider = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": language, "model_name": models[0]}]}
    )
    analyzer = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=[language])
    anonymizer = AnonymizerEngine()
    return [anonymizer.anonymize(text, analyzer.analyze(text, language)).text for text in texts]
