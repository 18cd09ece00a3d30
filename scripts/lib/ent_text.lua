-- Entity text: from lists of pairs back to what a level's lump, or an .ent file beside it, holds.
local ent_text = {}

-- The grammar has no escapes: a quote can only stand inside a word without blanks. What cannot be written is an error.
local function token(text, where)
  if not text:find('"', 1, true) then return '"' .. text .. '"' end
  local bare = not text:find("[%z\1-\32]") and not text:find('^["{}]') and not text:find("^/[/*]")
  if not bare then error(("%s: a quote cannot be written there: %s"):format(where, text), 0) end
  return text
end

-- The text of a list of entities, each a list of { key, value }.
function ent_text.write(entities)
  local lines = {}
  for i, entity in ipairs(entities) do
    lines[#lines + 1] = "{"
    for _, pair in ipairs(entity) do
      local where = ("entity %d, key %s"):format(i - 1, pair[1])
      lines[#lines + 1] = token(pair[1], where) .. " " .. token(pair[2], where)
    end
    lines[#lines + 1] = "}"
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The pairs of an entity of the lump, with changes { key = value, or false: without that key }; a key that is there several
-- times is changed in its last place, which is the one that counts.
function ent_text.changed(entity, changes)
  local pairs_of, left = {}, {}
  for key, value in pairs(changes or {}) do left[key:lower()] = value end
  for i = #entity, 1, -1 do
    local key, value = entity[i][1], entity[i][2]
    local change = left[key:lower()]
    if change ~= false then table.insert(pairs_of, 1, { key, change or value }) end
    if change then left[key:lower()] = nil end
  end
  local added = {}
  for key, value in pairs(left) do
    if value then added[#added + 1] = { key, value } end
  end
  table.sort(added, function(a, b) return a[1] < b[1] end)
  for _, pair in ipairs(added) do pairs_of[#pairs_of + 1] = pair end
  return pairs_of
end

return ent_text
