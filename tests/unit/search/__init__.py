"""Tests of duckanon/metrics."""
