"""Tests of duckanon/engine."""
