"""The MCP server over stdio: `serve`. The only room that imports mcp, and only once `serve` runs.

Knows nothing of what a tool does; it hands checked arguments to `tools` and text back to the wire.
"""

import os
import traceback
from pathlib import Path

from anchormem.server.descriptors import claim


def serve(root: Path | None) -> None:
    """Serves one client until it leaves; ends the process, never returns.

    `root`: where the search for the project begins; None: the environment, the client's roots, the working directory.
    """
    wire, parent = claim(), os.getppid()  # now: importing takes long enough for a parent to die meanwhile
    code = 1
    try:
        # After the claim: whatever an import prints must not reach the wire; and importing mcp takes half a second.
        from anchormem.server.loop import run  # noqa: PLC0415 — nothing but a running server may load mcp

        run(wire, root, parent)
        code = 0
    except Exception:  # noqa: BLE001 — the last boundary: say it where a person can read it, and leave
        traceback.print_exc()
    finally:
        wire.flush()
        os._exit(code)  # a thread that is stuck in a parse must not hold the process; stores survive this at any moment
