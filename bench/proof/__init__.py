"""The parts of `bench/truth.py`: each module has `run(options) -> Part` and proves one sentence of the promise."""
