"""A process that runs functions: it is kept between calls, and ends in the midst of one."""

from __future__ import annotations

import os
import threading

import pytest

from exporter.core.worker_process import WorkerEnded, WorkerProcess


def test_a_process_is_kept_between_calls_and_a_new_one_follows_one_that_ended() -> None:
    worker = WorkerProcess()
    try:
        assert worker.call("operator:add", 2, 3) == 5
        first = worker.call("os:getpid")
        assert first != os.getpid()
        assert worker.call("os:getpid") == first
        with pytest.raises(WorkerEnded) as ended:
            worker.call("os:_exit", 7)
        assert ended.value.code == 7
        assert worker.call("os:getpid") not in (first, os.getpid())
    finally:
        worker.end()


def test_whoever_waits_for_a_process_that_is_ended_waits_no_longer() -> None:
    worker = WorkerProcess()
    worker.start()
    threading.Timer(0.2, worker.end).start()
    with pytest.raises(WorkerEnded):
        worker.call("time:sleep", 600)
