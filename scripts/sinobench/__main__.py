"""``python -m sinobench``."""

from sinobench.cli import main

raise SystemExit(main())
