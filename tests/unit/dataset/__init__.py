"""Tests of duckanon/dataset."""
