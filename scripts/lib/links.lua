-- Who fires whom: the graph of target and targetname, and what is wrong with it.
--
-- An entity here is any list of { key, value } pairs with `index` (lw.entities.lump gives such), or a table made by a test.
local links = {}

local TARGETS = { target = true, target2 = true, target3 = true, target4 = true, killtarget = true }

-- How many letters must be changed, added, left out or swapped with their neighbour to make one text of another; without case.
function links.distance(a, b)
  a, b = a:lower(), b:lower()
  local rows = { [0] = {} }
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    rows[i] = { [0] = i }
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      local best = math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        best = math.min(best, rows[i - 2][j - 2] + 1)
      end
      rows[i][j] = best
    end
  end
  return rows[#a][#b]
end

-- The name of the list that is nearest to a wrong one; nil when none is near.
function links.nearest(name, names)
  local best, best_distance
  for _, other in ipairs(names) do
    local distance = links.distance(name, other)
    if distance <= math.max(1, #name // 4) and (not best or distance < best_distance) then best, best_distance = other, distance end
  end
  return best
end

local function read(entity)
  local node = { index = entity.index, class = "(no classname)", names = {}, targets = {}, fires = {}, fired_by = {} }
  for _, pair in ipairs(entity) do
    local key, value = pair[1]:lower(), pair[2]
    if key == "classname" then node.class = value end
    if key == "targetname" and value ~= "" then node.names[#node.names + 1] = value end
    if TARGETS[key] and value ~= "" then node.targets[#node.targets + 1] = { key = key, name = value } end
  end
  return node
end

-- Groups of entities that can fire each other in a circle, each a list of indexes (Tarjan, with a stack of its own).
local function cycles(nodes)
  local order, low, on_stack, stack, counter, found = {}, {}, {}, {}, 0, {}
  local function close(node)
    local group = {}
    repeat
      local top = table.remove(stack)
      on_stack[top] = nil
      group[#group + 1] = top.index
    until top == node
    local alone = #group == 1
    for _, other in ipairs(node.fires) do alone = alone and other ~= node end
    if not alone then
      table.sort(group)
      found[#found + 1] = group
    end
  end
  for _, root in ipairs(nodes) do
    local work = not order[root] and { { node = root, next = 1 } } or {}
    while #work > 0 do
      local frame = work[#work]
      local node = frame.node
      if not order[node] then
        counter = counter + 1
        order[node], low[node], on_stack[node] = counter, counter, true
        stack[#stack + 1] = node
      end
      local other = node.fires[frame.next]
      frame.next = frame.next + 1
      if not other then
        if low[node] == order[node] then close(node) end
        work[#work] = nil
        local above = work[#work]
        if above then low[above.node] = math.min(low[above.node], low[node]) end
      elseif not order[other] then
        work[#work + 1] = { node = other, next = 1 }
      elseif on_stack[other] then
        low[node] = math.min(low[node], order[other])
      end
    end
  end
  table.sort(found, function(a, b) return a[1] < b[1] end)
  return found
end

-- The graph of a list of entities: { nodes, edges = { { from, to, name } }, missing = { { from, key, name, near } },
-- unfired = nodes with a name that nobody fires, cycles = lists of indexes }. All by the entities' own indexes.
function links.graph(entities)
  local graph = { nodes = {}, edges = {}, missing = {}, unfired = {} }
  local by_name, names = {}, {}
  for _, entity in ipairs(entities) do
    local node = read(entity)
    graph.nodes[#graph.nodes + 1] = node
    for _, name in ipairs(node.names) do
      local list = by_name[name:lower()]
      if not list then
        list = {}
        by_name[name:lower()], names[#names + 1] = list, name
      end
      list[#list + 1] = node
    end
  end
  for _, node in ipairs(graph.nodes) do
    for _, target in ipairs(node.targets) do
      local list = by_name[target.name:lower()]
      if not list then
        graph.missing[#graph.missing + 1] = { from = node, key = target.key, name = target.name, near = links.nearest(target.name, names) }
      end
      for _, other in ipairs(list or {}) do
        node.fires[#node.fires + 1], other.fired_by[#other.fired_by + 1] = other, node
        graph.edges[#graph.edges + 1] = { from = node, to = other, name = target.name }
      end
    end
  end
  for _, node in ipairs(graph.nodes) do
    if #node.names > 0 and #node.fired_by == 0 then graph.unfired[#graph.unfired + 1] = node end
  end
  graph.cycles = cycles(graph.nodes)
  return graph
end

-- The graph of the level on screen.
function links.of_map()
  local entities = {}
  for i = 1, lw.entities.count() - 1 do entities[i] = lw.entities.lump(i) end
  return links.graph(entities)
end

function links.title(node) return ("%d %s"):format(node.index, node.class) end

-- What is wrong, a line each.
function links.report(graph)
  local lines = {}
  for _, m in ipairs(graph.missing) do
    lines[#lines + 1] = ("%s: %s \"%s\" is nobody's targetname%s"):format(links.title(m.from), m.key, m.name,
      m.near and (" (did you mean \"%s\"?)"):format(m.near) or "")
  end
  for _, node in ipairs(graph.unfired) do
    lines[#lines + 1] = ("%s: nobody fires \"%s\""):format(links.title(node), node.names[1])
  end
  local titles = {}
  for _, node in ipairs(graph.nodes) do titles[node.index] = links.title(node) end
  for _, group in ipairs(graph.cycles) do
    local names = {}
    for i, index in ipairs(group) do names[i] = titles[index] end
    lines[#lines + 1] = "in a circle: " .. table.concat(names, ", ")
  end
  return lines
end

local function quoted(text) return '"' .. text:gsub("[\\\"]", "\\%0"):gsub("\n", "\\n") .. '"' end

-- The graph for Graphviz: entities that are linked or should be; what is wrong in red.
function links.dot(graph, name)
  local lines, wrong = { "digraph " .. quoted(name) .. " {", "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];" }, {}
  for _, m in ipairs(graph.missing) do wrong[m.from] = true end
  for _, node in ipairs(graph.nodes) do
    if #node.names > 0 or #node.targets > 0 then
      local label = links.title(node) .. (node.names[1] and "\n" .. node.names[1] or "")
      local unfired = #node.names > 0 and #node.fired_by == 0
      lines[#lines + 1] = ("  %d [label=%s%s];"):format(node.index, quoted(label), (wrong[node] or unfired) and ", color=red" or "")
    end
  end
  for _, edge in ipairs(graph.edges) do lines[#lines + 1] = ("  %d -> %d;"):format(edge.from.index, edge.to.index) end
  for i, m in ipairs(graph.missing) do
    lines[#lines + 1] = ("  missing%d [label=%s, color=red, style=dashed];"):format(i, quoted(m.name))
    lines[#lines + 1] = ("  %d -> missing%d [color=red, style=dashed];"):format(m.from.index, i)
  end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end

return links
