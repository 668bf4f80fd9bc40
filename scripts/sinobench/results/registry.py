"""The tables of all tasks, for what gathers them: no job that makes one table imports the others' declarations."""

from sinobench.csc import tables as csc
from sinobench.g2p import tables as g2p
from sinobench.ld import tables as ld
from sinobench.lid import tables as lid
from sinobench.merlion import tables as merlion
from sinobench.merlion.audio import tables as audio
from sinobench.merlion.training import tables as training
from sinobench.results import tables as shared
from sinobench.results.tables import Table

TABLES = {
    table.name: table
    for module in (g2p, csc, merlion, audio, training, lid, ld, shared)
    for table in vars(module).values()
    if isinstance(table, Table)
}
