"""How anything that is plugged in becomes an actor: host, call checks, time limits, turns, metering."""
