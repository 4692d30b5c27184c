"""Tests of duckanon/privacy."""
