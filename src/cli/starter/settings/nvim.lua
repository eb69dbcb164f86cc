-- Neovim 0.11 or newer, with `vim.o.exrc = true`: `steerbox lsp` for scripts and scenes, with live values.
vim.filetype.add({ extension = { rhai = "rhai", ron = "ron" } })
vim.lsp.config("steerbox", { cmd = { "steerbox", "lsp" }, filetypes = { "rhai", "ron" }, root_markers = { "scenes" } })
vim.lsp.enable("steerbox")
vim.lsp.inlay_hint.enable(true)
vim.diagnostic.config({ virtual_text = true })
-- Completions open after a dot and by Ctrl+X Ctrl+O. Ctrl+N selects one, Ctrl+Y inserts it with its arguments, Tab moves to the next.
vim.o.completeopt = "menuone,noselect,popup"
vim.api.nvim_create_autocmd("LspAttach", {
  callback = function(event)
    local client = assert(vim.lsp.get_client_by_id(event.data.client_id))
    if client.name == "steerbox" then
      vim.lsp.completion.enable(true, client.id, event.buf, { autotrigger = true })
    end
  end,
})
-- Neovim has no settings for these files: comments by `gcc`, indentation.
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "rhai", "ron" },
  callback = function()
    vim.bo.commentstring = "// %s"
    vim.bo.shiftwidth, vim.bo.expandtab, vim.bo.smartindent = 4, true, true
  end,
})
-- Commands of the window: `:Steerbox pause`, resume, step, restart, `selectUnit 5`, runBuffer, discardBuffer, `openScene flock`.
vim.api.nvim_create_user_command("Steerbox", function(call)
  local name, argument = unpack(call.fargs)
  argument = name:find("Buffer$") and vim.uri_from_bufnr(0) or tonumber(argument) or argument
  for _, client in ipairs(vim.lsp.get_clients({ name = "steerbox", bufnr = 0 })) do
    client:exec_cmd({ title = name, command = "steerbox." .. name, arguments = { argument } })
  end
end, { nargs = "+" })
