"""Evaluation of Chinese front-ends of speech systems: Cantonese G2P, Chinese spelling check, MERLIon CCS."""

__version__ = "0.1.0"
