-- Every material script of a game: how many materials there are, and that every unknown word in them is explained here.
local unit = require "luaunit"

-- Slips of their authors, each looked at; the engine drops the whole material for one.
local explained = {
  ["scripts/evil4_techtrims.shader:375: unknown word 'blendfuns' in a stage"] = "blendfunc is meant",
  ["scripts/tree.shader:56: unknown word 'distancecull' in a material"] = "a word of Return to Castle Wolfenstein",
  ["scripts/tree.shader:148: unknown word 'map' in a material"] = "a stage's word without the stage's brace",
  ["scripts/tree.shader:158: unknown word 'surfaceparam' in a stage"] = "surfaceparm is meant, and stands in a stage",
  ["scripts/tree.shader:159: unknown word 'surfaceparam' in a stage"] = "the same",
  ["scripts/mflag.shader:4: deformVertexes wave: unknown word '0'"] = "the div is left out",
  ["scripts/onslaught.shader:61: deformVertexes wave: unknown word '1'"] = "a number too many",
}

TestMaterials = {}

function TestMaterials:test_no_word_is_unknown_without_a_reason()
  unit.assertTrue(#lw.assets.defined() > 500)
  for _, problem in ipairs(lw.assets.problems()) do
    local text = ("%s:%d: %s"):format(problem.file, problem.line, problem.text)
    if problem.text:find("unknown word") then unit.assertNotNil(explained[text], text) end
    unit.assertNil(problem.text:find("not closed"), text)
  end
end

function TestMaterials:test_every_material_can_be_asked()
  for _, name in ipairs(lw.assets.defined()) do
    -- names lose their ending when they are looked up: nothing can mean one that has any
    if not name:find("%.[^/]*$") then
      local material = lw.assets.material(name)
      unit.assertTrue(material.scripted, name)
      unit.assertTrue(#material.stages <= 8 and material.line >= 1, name)
    end
  end
end
