"""Games and mechs begun: starters, blank tables, and games made of what somebody brings."""
