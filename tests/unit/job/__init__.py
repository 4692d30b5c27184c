"""Tests of duckanon/job."""
