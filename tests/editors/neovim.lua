-- Drives Neovim 0.11 without a screen against `steerbox lsp`, in a project written by `steerbox new`. With a window of the
-- project on the display, live values and commands are checked, too:
--   nvim --headless -u NONE -l tests/editors/neovim.lua [live]

local failures = 0
local function check(name, holds, found)
  if not holds then
    failures = failures + 1
    print(name .. ": failed " .. vim.inspect(found))
  else
    print(name .. ": ok")
  end
end

vim.cmd("filetype plugin on")
dofile(".nvim.lua")
vim.cmd.edit("scripts/together.rhai")
local buffer = vim.api.nvim_get_current_buf()
local document = { uri = vim.uri_from_bufnr(buffer) }
check("client", vim.wait(5000, function() return #vim.lsp.get_clients({ bufnr = buffer }) > 0 end))

local function request(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, method, params, 5000) or {}) do
    return answer.result, answer.err or answer.error
  end
end
local function set(line, text) vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { text }) end
local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(text, 1, true) then return number, line end
  end
end
local function place(line, character) return { textDocument = document, position = { line = line - 1, character = character } } end

local number, mates = line_of("let mates")
set(number, (mates:gsub("neighbors", "neighbours")))
check("diagnostics", vim.wait(5000, function() return #vim.diagnostic.get(buffer) > 0 end))
local fault = vim.diagnostic.get(buffer)[1] or {}
check("message", fault.lnum == number - 1 and (fault.message or ""):find("neighbors", 1, true), fault)
-- The request that `gra` sends with the cursor at the start of the line.
local at = { line = number - 1, character = 0 }
local sent = vim.tbl_map(function(one) return one.user_data.lsp end, vim.diagnostic.get(buffer, { lnum = number - 1 }))
local actions = request("textDocument/codeAction", { textDocument = document, range = { start = at, ["end"] = at }, context = { diagnostics = sent } })
check("fix", actions and #actions > 0 and actions[1].kind == "quickfix", actions)
if actions and actions[1] and actions[1].edit then vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16") end
check("fixed", vim.wait(5000, function() return #vim.diagnostic.get(buffer) == 0 end), vim.diagnostic.get(buffer))

local hover = request("textDocument/hover", place(number, mates:find("neighbors", 1, true)))
check("hover", hover and hover.contents.value:find("List", 1, true), hover)
vim.api.nvim_buf_set_lines(buffer, number, number, false, { "    me.neighbors." })
local items = request("textDocument/completion", place(number + 1, 17)) or {}
local labels = vim.tbl_map(function(item) return item.label end, items.items or items)
check("completion", vim.tbl_contains(labels, "mean_position"), labels)
-- Neovim compares typed letters with this field, and with nothing if an item has an edit without it.
check("filter", vim.iter(items.items or items):all(function(item) return item.filterText == item.label end))
-- Its handler of this event expands the arguments of an inserted completion.
check("arguments", #vim.api.nvim_get_autocmds({ event = "CompleteDone", buffer = buffer }) > 0)
vim.api.nvim_buf_set_lines(buffer, number, number + 1, false, {})
local declared, text = line_of("const SHARE")
local edit = request("textDocument/rename", vim.tbl_extend("force", place(declared, text:find("SHARE", 1, true)), { newName = "PART" }))
if edit then vim.lsp.util.apply_workspace_edit(edit, "utf-16") end
check("rename", line_of("PART)") and line_of("const PART") and not line_of("SHARE)"), edit)

if arg[1] == "live" or vim.v.argv[#vim.v.argv] == "live" then
  local function run(command, arguments) return request("workspace/executeCommand", { command = "steerbox." .. command, arguments = arguments }) end
  local function hints()
    return request("textDocument/inlayHint", { textDocument = document, range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } } }) or {}
  end
  vim.wait(5000, function() local _, refused = run("selectUnit", { 5 }) return refused == nil end, 200)
  check("hints", vim.wait(5000, function() return #hints() > 3 end, 200), hints())
  local lenses = request("textDocument/codeLens", { textDocument = document })
  check("lenses", lenses and lenses[1] and lenses[1].command.title:find("birds: 150 units", 1, true), lenses)
  local _, refused = run("runBuffer", { document.uri })
  check("draft", refused == nil, refused)
  _, refused = run("discardBuffer", { document.uri })
  check("saved", refused == nil, refused)
else
  local _, refused = request("workspace/executeCommand", { command = "steerbox.pause", arguments = {} })
  check("no window", refused ~= nil)
end
vim.cmd(failures > 0 and "cquit 1" or "quitall!")
