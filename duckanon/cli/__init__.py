"""The command line: it prints, and computes nothing."""

from duckanon.cli.app import main

__all__ = ["main"]
