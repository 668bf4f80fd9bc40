"""Synthesized recordings in the form of MERLIon CCS, spoken by eSpeak NG, and the sample corpus made of them.

Figures on them say how the workflow behaves, not how a model understands people. Nothing here is used by the recoding
rules, nor uses them: each scene carries the labels it must get. ``python -m sinobench.samples.synthesis --help`` lists
the commands.
"""
