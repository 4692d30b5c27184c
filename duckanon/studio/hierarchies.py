"""Routes of the hierarchy wizard."""

from starlette.routing import Route

ROUTES: list[Route] = []
