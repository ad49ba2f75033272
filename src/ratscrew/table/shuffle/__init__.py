"""Verifiable shuffles: commit, reveal, deal, audit."""
