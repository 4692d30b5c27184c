"""Tests of duckanon/search."""
