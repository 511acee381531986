"""Pipeline and ReflectionLoop: stop rules, policies, the floor, journal, resume, replay."""
