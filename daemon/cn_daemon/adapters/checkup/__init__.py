"""The parts of a checkup. None changes anything, needs a daemon, or waits without a limit."""
