//! The rules in embedded `LuaJIT`, as fast as possible: functions have no arguments and results, and access memory of
//! the host.

use std::cell::OnceCell;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::sync::Arc;

use glam::Vec3;
use mlua::{Function, LightUserData, Lua, StdLib, Table};
use steerbox_core::perception::Neighbor;
use steerbox_core::sim::{Behavior, Contribution, Failure, UnitContext};

use crate::context::{NeighborMeans, means, read};
use crate::form::Form;
use crate::peers::Peer;
use crate::workload::{ALIGNMENT, ALL, CLOSE, COHESION, NEAR, SEPARATION};

/// The data exchanged between host and functions; `flock.lua` calls it `io`.
#[repr(C)]
struct Exchange {
    positions: *const Vec3,
    velocities: *const Vec3,
    seen: *const Neighbor,
    count: u32,
    unit: u32,
    all: NeighborMeans,
    near: NeighborMeans,
    push: Vec3,
}

/// One Lua function as a behavior.
struct LuaRule {
    function: usize,
    needs: Needs,
}

/// The inputs that the host provides before a call.
#[derive(Clone, Copy)]
enum Needs {
    All,
    Near,
    AllAndNear,
    SeenAll,
    SeenNear,
}

const FUNCTIONS: [(&str, Needs); 8] = [
    ("means_cohesion", Needs::All),
    ("means_alignment", Needs::All),
    ("means_separation", Needs::Near),
    ("means_all", Needs::AllAndNear),
    ("loops_cohesion", Needs::SeenAll),
    ("loops_alignment", Needs::SeenAll),
    ("loops_separation", Needs::SeenNear),
    ("loops_all", Needs::SeenAll),
];

pub(crate) fn behaviors(form: Form, calls: Peer) -> Vec<Arc<dyn Behavior>> {
    let first = if form == Form::Means { 0 } else { 4 };
    let functions = match calls {
        Peer::Rule => first..first + 3,
        Peer::Unit => first + 3..first + 4,
    };
    let behavior = |function: usize| -> Arc<dyn Behavior> {
        let needs = FUNCTIONS[function].1;
        Arc::new(LuaRule { function, needs })
    };
    functions.map(behavior).collect()
}

impl Behavior for LuaRule {
    fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
        thread_local!(static STATE: OnceCell<State> = const { OnceCell::new() });
        STATE.with(|state| {
            let state = state.get_or_init(|| State::new().expect("LuaJIT starts"));
            state.decide(self, context).map_err(|error| Failure {
                line: 0,
                column: 0,
                message: error.to_string(),
                help: None,
                file: None,
                exhausted: false,
            })
        })
    }
}

/// The Lua state of a thread.
struct State {
    functions: Vec<Function>,
    /// Never freed, so that Lua can store the address.
    io: *mut Exchange,
    _lua: Lua,
}

#[allow(unsafe_code, reason = "LuaJIT is fast with foreign memory")]
impl State {
    fn new() -> mlua::Result<Self> {
        // SAFETY: `ffi` requires it; only our own program is run.
        let lua = unsafe { Lua::unsafe_new_with(StdLib::ALL, mlua::LuaOptions::default()) };
        let io = Box::into_raw(Box::new(Exchange {
            positions: std::ptr::null(),
            velocities: std::ptr::null(),
            seen: std::ptr::null(),
            count: 0,
            unit: 0,
            all: NeighborMeans::default(),
            near: NeighborMeans::default(),
            push: Vec3::ZERO,
        }));
        let globals = lua.globals();
        globals.set("address", LightUserData(io.cast()))?;
        globals.set("COHESION", COHESION)?;
        globals.set("ALIGNMENT", ALIGNMENT)?;
        globals.set("SEPARATION", SEPARATION)?;
        globals.set("NEAR", NEAR)?;
        let rules: Table = lua.load(program()).set_name("flock.lua").eval()?;
        let functions = FUNCTIONS.map(|(name, _)| rules.get(name));
        Ok(Self { functions: functions.into_iter().collect::<mlua::Result<_>>()?, io, _lua: lua })
    }

    fn decide(&self, rule: &LuaRule, context: &mut UnitContext) -> mlua::Result<Contribution> {
        let function = &self.functions[rule.function];
        let (all, near) = match rule.needs {
            Needs::SeenAll => return self.over(function, context, ALL),
            Needs::SeenNear => return self.over(function, context, CLOSE),
            Needs::All => (Some(means(context, ALL)), None),
            Needs::Near => (None, Some(means(context, CLOSE))),
            Needs::AllAndNear => (Some(means(context, ALL)), Some(means(context, CLOSE))),
        };
        // SAFETY: the exchange is never freed, and only this thread uses it, here or in `call`.
        let io = unsafe { &mut *self.io };
        io.all = all.unwrap_or(io.all);
        io.near = near.unwrap_or(io.near);
        self.call(function, context.world(), context.unit(), &[])
    }

    fn over(
        &self,
        function: &Function,
        context: &mut UnitContext,
        list: steerbox_core::perception::List,
    ) -> mlua::Result<Contribution> {
        let unit = context.unit();
        read(context, list, |world, seen| self.call(function, world, unit, seen))
    }

    /// Calls a function. The pointers in the exchange are those of slices that are borrowed until it returns; it reads
    /// `unit` and the units of `seen` in the first two, and `count` in the third.
    fn call(
        &self,
        function: &Function,
        world: &steerbox_core::world::World,
        unit: usize,
        seen: &[Neighbor],
    ) -> mlua::Result<Contribution> {
        // SAFETY: the exchange is never freed, and only this thread uses it; no reference to it exists while Lua writes
        // to it.
        unsafe {
            (*self.io).positions = world.units.position.as_ptr();
            (*self.io).velocities = world.units.velocity.as_ptr();
            (*self.io).seen = seen.as_ptr();
            (*self.io).count = seen.len() as u32;
            (*self.io).unit = unit as u32;
        }
        function.call::<()>(())?;
        // SAFETY: as above.
        Ok(Contribution::Push(unsafe { (*self.io).push }))
    }
}

/// The rules, after declarations of the host's structures.
fn program() -> String {
    let mut text = String::from("require('ffi').cdef[[ typedef struct { float x, y, z; } vec3;");
    let _ = write!(text, "{}", declaration_of_seen());
    text += "typedef struct { uint32_t count; vec3 position, velocity; } means;
        typedef struct {
            const vec3 *positions, *velocities;
            const seen *seen;
            uint32_t count, unit;
            means all, near;
            vec3 push;
        } exchange; ]] ";
    text + include_str!("flock.lua")
}

/// Rust does not define the order of the fields of `Neighbor`. The lower half of the index suffices, as a native Lua
/// number.
fn declaration_of_seen() -> String {
    let mut fields = [
        (offset_of!(Neighbor, unit), 4, "uint32_t unit"),
        (offset_of!(Neighbor, position), 12, "vec3 position"),
        (offset_of!(Neighbor, distance_squared), 4, "float distance_squared"),
    ];
    fields.sort_unstable();
    let (mut text, mut at) = (String::from("typedef struct {"), 0);
    let end = (size_of::<Neighbor>(), 0, "");
    for (number, (offset, size, field)) in fields.into_iter().chain([end]).enumerate() {
        if offset > at {
            let _ = write!(text, "char gap{number}[{}];", offset - at);
        }
        if size > 0 {
            let _ = write!(text, "{field};");
        }
        at = offset + size;
    }
    text + "} seen;"
}
