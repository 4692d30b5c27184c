"""Tests of duckanon/release."""
