"""Routes of decisions, lattices and rows."""

from starlette.routing import Route

ROUTES: list[Route] = []
