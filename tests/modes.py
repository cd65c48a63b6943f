"""File modes bind the superuser too, where a test is about them."""

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import ParamSpec

import pytest

P = ParamSpec("P")
VERSION = 0x20080522
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
PR_CAPBSET_DROP = 24


def obeyed(test: Callable[P, None]) -> Callable[P, None]:
    """The test, for the superuser in a thread that has given up the right to read and write whatever it likes.

    That right belongs to a thread of Linux and to the processes it starts; other threads keep it. Elsewhere it cannot
    be given up, and the test is for ordinary users.
    """

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        if os.name != "posix" or os.geteuid() != 0:
            test(*args, **kwargs)
            return
        with ThreadPoolExecutor(max_workers=1) as thread:
            if not thread.submit(_given_up).result():
                pytest.skip("the superuser cannot give up its rights here")
            thread.submit(test, *args, **kwargs).result()

    return run


def _given_up() -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "capset"):
        return False
    header, rights = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(header, rights):
        return False
    for place in range(3):  # effective, permitted, inheritable
        rights[place] &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    for right in (DAC_OVERRIDE, DAC_READ_SEARCH):  # or a program that is started has them again
        libc.prctl(PR_CAPBSET_DROP, right, 0, 0, 0)
    return not libc.capset(header, rights)
