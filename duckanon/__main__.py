"""`python -m duckanon`."""

from duckanon.cli import main

main()
