//! State and nothing else: units as arrays by field, groups, bodies, views, obstacles.
