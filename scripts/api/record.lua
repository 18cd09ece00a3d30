---@meta
-- lw.record: Pictures and films of what is on screen.
-- Written by the program from its binding rows.

---@class lw.record
lw.record = {}

---Begins a film (.y4m, .mp4, .mkv, .webm, .mov or dir/%05d.png); all but path may be left out. From now on the clock goes by its frames: in the window each picture is one, in exec `lw.time.step` takes those that come due. Returns where it is written, or nil and why not.
---@param film {path: string, fps: number|string, size: any, rasterizer: string, passes: any, blur: integer, shutter: number, encoder: string, force: boolean}
---@return string?
---@return string?
function lw.record.start(film) end

---Ends the film, within a frame of it after that frame; returns how many frames were begun, or nil and what went wrong.
---@return integer?
---@return string?
function lw.record.stop() end

---Whether a film is being made.
---@return boolean
function lw.record.active() end

---Writes the last frame as a PNG into the writable folder (without a path as screenshots/MAP-NUMBER.png); returns where it is, or nil and why it could not.
---@param path? string
---@return string?
---@return string?
function lw.record.screenshot(path) end
