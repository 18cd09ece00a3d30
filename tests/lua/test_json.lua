-- lw.json: what its standard allows, nothing else; texts, numbers and empty lists that come back as they went.
local unit = require "luaunit"
local json = lw.json

TestJson = {}

function TestJson:test_values_both_ways()
  for _, text in ipairs { "1", "-7", "0.5", "1e+300", "true", "false", "null", '"a"', "[]", "{}", "[1,[2,[]]]", '{"a":{"b":[]}}',
    '{"a":1,"b":2,"c":null}', "9223372036854775807", "-9223372036854775808", '"\\"\\\\\\n"', "[null,1,null]" } do
    unit.assertEquals(json.encode(json.decode(text)), text)
  end
  unit.assertEquals(math.type(json.decode("10")), "integer")
  unit.assertEquals(math.type(json.decode("10.0")), "float")
  unit.assertEquals(math.type(json.decode("9223372036854775808")), "float")
  unit.assertEquals(json.decode("9223372036854775808"), 2.0 ^ 63)
  unit.assertEquals(json.decode("123456789012345678901234567890"), 123456789012345678901234567890.0)
  unit.assertEquals(json.decode(" [1 , 2]\r\n\t"), { 1, 2 })
  unit.assertEquals(json.decode('"\\u00e9\\ud83d\\ude00\\/\\b"'), "é😀/\b")
  unit.assertEquals(json.decode("null"), json.null)
  unit.assertEquals(tostring(json.null), "null")
end

function TestJson:test_encoding()
  unit.assertEquals(json.encode({ b = 1, a = { true, false }, c = lw.vec3(1, 2.5, 3) }), '{"a":[true,false],"b":1,"c":[1,2.5,3]}')
  unit.assertEquals(json.encode({}), "[]")
  unit.assertEquals(json.encode(json.object {}), "{}")
  unit.assertEquals(json.encode(0.1), "0.1")
  unit.assertEquals(json.encode(1 / 3), "0.3333333333333333")
  unit.assertEquals(json.encode("\xe9"), '"é"')
  unit.assertEquals(json.encode("é"), '"é"')
  unit.assertEquals(json.encode("\0\31"), '"\\u0000\\u001f"')
  unit.assertEquals(json.encode({ a = { 1, 2 }, b = {} }, 2), '{\n  "a": [\n    1,\n    2\n  ],\n  "b": []\n}')
  local deep = {}
  for _ = 1, 150 do deep = { deep } end
  unit.assertEquals(json.encode(json.decode(json.encode(deep))), json.encode(deep))
end

function TestJson:test_what_cannot_be_written()
  local own = {}
  own[1] = own
  for _, case in ipairs { { 0 / 0, "not a number" }, { math.huge, "infinite" }, { print, "function" }, { { [1] = 1, x = 2 }, "number" },
    { { 1, nil, 3 }, "holes" }, { own, "holds itself" }, { { [{}] = 1 }, "table" }, { { [1.5] = 1 }, "number" },
    { { f = print }, "function" }, { coroutine.create(print), "thread" } } do
    unit.assertErrorMsgContains("lw.json.encode", json.encode, case[1])
    unit.assertErrorMsgContains(case[2], json.encode, case[1])
  end
  unit.assertError(json.encode)
end

function TestJson:test_texts_with_bytes_changed_are_read_or_refused()
  local seeds = { '{"a":[1,2.5e3,{"b":null}],"c":"\\u00e9\\n","d":[true,false]}', '[[[[1]]],"x",-0.0,123456789012]', '{"k":"\\ud83d\\ude00"}' }
  local bytes = { "{", "}", "[", "]", ",", ":", '"', "\\", "u", "0", "9", "-", ".", "e", "t", "\0", "\xff", " ", "\n" }
  for i = 1, 20000 do
    local text = seeds[i % #seeds + 1]
    for _ = 1, math.random(3) do
      local at = math.random(#text)
      text = text:sub(1, at - 1) .. bytes[math.random(#bytes)] .. text:sub(at + math.random(0, 2))
    end
    local value, why = json.decode(text)
    if why then
      unit.assertNil(value)
    else
      local once = json.encode(value)
      unit.assertEquals(json.encode(json.decode(once)), once)
    end
  end
end

function TestJson:test_what_is_no_json_says_where()
  for _, case in ipairs { { "", "ends" }, { "[1,]", "value is expected" }, { "[1 2]", "']'" }, { "{1:2}", "key" }, { '{"a"}', "':'" },
    { '{"a":1,}', "key" }, { "01", "begins with 0" }, { "1.", "digits" }, { "1e", "digits" }, { "+1", "value" }, { ".5", "value" },
    { "nul", "value" }, { "NaN", "value" }, { '"a', "closing quote" }, { '"a\nb"', "control" }, { '"\\x41"', "escape" },
    { '"\\u12"', "hexadecimal" }, { '"\\ud800"', "surrogate" }, { '"\\udc00"', "surrogate" }, { "1 2", "behind" }, { "1e999", "too large" },
    { "[", "ends" }, { "'a'", "value" }, { "// x", "value" }, { "-", "value" }, { '{"a":1 "b":2}', "'}'" }, { "\0", "value" } } do
    local value, why = json.decode(case[1])
    unit.assertNil(value, case[1])
    unit.assertStrContains(why, "line 1, column ")
    unit.assertStrContains(why, case[2])
  end
  unit.assertStrContains(select(2, json.decode("[1,\n 2,\n x]")), "line 3, column 2")
  unit.assertStrContains(select(2, json.decode(("["):rep(100000))), "too many lists")
  unit.assertErrorMsgContains("lw.json.decode", json.decode, 5)
end
