"""Components as actors: host, call checks, time limits, turns, metering."""
