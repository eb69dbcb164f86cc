-- The rules for LuaJIT, written for its compiler: numbers in locals, structures of the host, no table
-- and no object made while units decide.
local ffi = require("ffi")
local io = ffi.cast("exchange *", address)

local rules = {}

function rules.means_cohesion()
  local own, mean = io.positions[io.unit], io.all.position
  io.push.x = (mean.x - own.x) * COHESION
  io.push.y = (mean.y - own.y) * COHESION
end

function rules.means_alignment()
  local own, mean = io.velocities[io.unit], io.all.velocity
  io.push.x = (mean.x - own.x) * ALIGNMENT
  io.push.y = (mean.y - own.y) * ALIGNMENT
end

function rules.means_separation()
  local own, mean = io.positions[io.unit], io.near.position
  local rate = SEPARATION * io.near.count
  io.push.x = (own.x - mean.x) * rate
  io.push.y = (own.y - mean.y) * rate
end

function rules.means_all()
  local unit, all, near = io.unit, io.all, io.near
  local position, velocity = io.positions[unit], io.velocities[unit]
  local x, y = position.x, position.y
  local apart = SEPARATION * near.count
  io.push.x = (all.position.x - x) * COHESION + (all.velocity.x - velocity.x) * ALIGNMENT
    + (x - near.position.x) * apart
  io.push.y = (all.position.y - y) * COHESION + (all.velocity.y - velocity.y) * ALIGNMENT
    + (y - near.position.y) * apart
end

function rules.loops_cohesion()
  local own, seen, count = io.positions[io.unit], io.seen, io.count
  local x, y, dx, dy = own.x, own.y, 0.0, 0.0
  for i = 0, count - 1 do
    local other = seen[i].position
    dx, dy = dx + (other.x - x), dy + (other.y - y)
  end
  local rate = count > 0 and COHESION / count or 0.0
  io.push.x, io.push.y = dx * rate, dy * rate
end

function rules.loops_alignment()
  local own, seen, count, velocities = io.velocities[io.unit], io.seen, io.count, io.velocities
  local x, y, dx, dy = own.x, own.y, 0.0, 0.0
  for i = 0, count - 1 do
    local other = velocities[seen[i].unit]
    dx, dy = dx + (other.x - x), dy + (other.y - y)
  end
  local rate = count > 0 and ALIGNMENT / count or 0.0
  io.push.x, io.push.y = dx * rate, dy * rate
end

function rules.loops_separation()
  local own, seen = io.positions[io.unit], io.seen
  local x, y, dx, dy = own.x, own.y, 0.0, 0.0
  for i = 0, io.count - 1 do
    local other = seen[i].position
    dx, dy = dx + (x - other.x), dy + (y - other.y)
  end
  io.push.x, io.push.y = dx * SEPARATION, dy * SEPARATION
end

-- All in one pass over all neighbors, as nobody can merge rules that are kept apart.
function rules.loops_all()
  local unit, seen, count, velocities = io.unit, io.seen, io.count, io.velocities
  local position, velocity = io.positions[unit], velocities[unit]
  local x, y, vx, vy = position.x, position.y, velocity.x, velocity.y
  local cx, cy, ax, ay, sx, sy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
  for i = 0, count - 1 do
    local other = seen[i]
    local way = velocities[other.unit]
    local dx, dy = other.position.x - x, other.position.y - y
    cx, cy = cx + dx, cy + dy
    ax, ay = ax + (way.x - vx), ay + (way.y - vy)
    if other.distance_squared <= NEAR * NEAR then
      sx, sy = sx - dx, sy - dy
    end
  end
  local together = count > 0 and COHESION / count or 0.0
  local alike = count > 0 and ALIGNMENT / count or 0.0
  io.push.x = cx * together + ax * alike + sx * SEPARATION
  io.push.y = cy * together + ay * alike + sy * SEPARATION
end

return rules
