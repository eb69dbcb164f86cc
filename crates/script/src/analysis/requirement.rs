//! Scene parts that a behavior reads under its current parameter values and that only some scenes have.

use steerbox_core::sim::EventKind;

use crate::api::{self, Need};
use crate::front::program::Program;
use crate::typed;
use crate::types::Kind;

/// A use of a property or function of the API that needs a part of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The part of the scene.
    pub need: Need,
    /// The name that is passed to it, if it is constant.
    pub name: Option<String>,
    /// The expression, such as `me.neighbors`.
    pub written: String,
    /// The path of the imported file with the use; `None` for the script itself.
    pub file: Option<String>,
    /// Line and column, from 1.
    pub place: (usize, usize),
}

/// The reads and effects of a behavior in a scene without some parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The reads that are still reached.
    pub requirements: Vec<Requirement>,
    /// True if the behavior may mark, signal, or return anything but `()`.
    pub acts: bool,
    /// True if it may claim units or take from grids.
    pub is_ordered: bool,
}

impl Reduced {
    /// Analyzes `program` in a scene without the parts in `absent`.
    pub(crate) fn new(program: &Program, absent: &[Need]) -> Self {
        let bodies = program.environment.bodies(&program.ast);
        let steer = ("steer", vec![Kind::Me.into(), Kind::World.into()]);
        let handlers = program.handlers.iter().map(|it| (it.kind.name(), it.arguments()));
        let entries: Vec<_> = std::iter::once(steer).chain(handlers).collect();
        let reach = typed::reach(&bodies, &entries, &program.environment, absent);
        let acts = reach.acts;
        let rows = api::functions();
        let requirement = |call: typed::Call| {
            let row = &rows[call.row];
            let written = match (row.signature.split_once('('), &call.name) {
                (Some((function, _)), Some(name)) => format!("{function}(\"{name}\")"),
                _ => row.signature.to_owned(),
            };
            let (name, file, place) = (call.name, call.file, call.place);
            Some(Requirement { need: row.need?, name, written, file, place })
        };
        let mut requirements: Vec<_> = reach.calls.into_iter().filter_map(requirement).collect();
        requirements.extend(reach.zones.into_iter().map(|it| Requirement {
            need: Need::NamedZone,
            written: format!("zone == {:?}", it.name),
            name: Some(it.name),
            file: it.file,
            place: it.place,
        }));
        let touched = program.handlers.iter().filter(|it| it.kind == EventKind::Touched);
        requirements.extend(touched.map(|it| Requirement {
            need: Need::Contacts,
            name: None,
            written: "fn touched".to_owned(),
            file: None,
            place: it.place,
        }));
        Self { requirements, acts, is_ordered: reach.is_ordered }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::ParamValue;

    use super::*;
    use crate::tests::{Shelf, rows};
    use crate::{Execution, Script, ScriptBehavior};

    const SHELF: Shelf<'_> =
        Shelf(&[("helpers", "fn leader(me) { me.neighbors.nearest } fn ahead(me) { me.see(\"narrow\") }")]);

    fn behavior(head: &str, body: &str) -> ScriptBehavior {
        let text = format!(
            "import \"helpers\" as h; const FORM = param(\"a\", [\"a\", \"b\"]); const NEAR = param(0.0, 0.0, 9.0); const MEMORY = #{{ a: 0.0 }};
            {head}\nfn steer(me, world) {{ {body} }}"
        );
        let script = Script::compile_with("a.rhai", &text, &SHELF, false);
        let script = script.unwrap_or_else(|faults| panic!("{body}: {faults:#?}"));
        let values = [("FORM".to_owned(), ParamValue::Choice("b".to_owned()))];
        ScriptBehavior::new(Program::fold(&script, &values).unwrap(), Execution::Interpreted)
    }

    #[test]
    fn requirements_follow_the_values_of_parameters() {
        for [head, body, expected] in rows(
            r#"
            ¦ me.neighbors.len ¦ me.neighbors
            ¦ if FORM == "a" { me.neighbors.len } else { me.enemies.len } ¦ me.enemies
            ¦ if FORM == "b" { return 1; } me.neighbors.len ¦
            fn mates(it) { it.neighbors } ¦ mates(me).len ¦ me.neighbors
            fn mates(it) { it.neighbors } ¦ 1 ¦
            ¦ h::leader(me) ¦ me.neighbors
            ¦ h::ahead(me).len ¦ me.see("narrow")
            ¦ world.path("track").length + me.path.length ¦ world.path("track") me.path
            ¦ let all = [me.others, 1]; all[0].len + world.field("wind").at(me.position).x ¦ me.others world.field("wind")
            ¦ world.target.distance_to(vec(0, 0)) ¦ world.target
            ¦ let target = world.center; target ¦
            ¦ let it = #{ path: 1, player: 2 }; it.path + it.player ¦
            ¦ if NEAR > 0.0 { me.neighbors.len } else { 1 } ¦
            fn entered(zone) { if zone == "door" { this.a = 1; } } ¦ 1 ¦ zone == "door"
            fn is_door(it) { "door" != it } fn left(zone) { if is_door(zone) { this.a = 1; } } ¦ 1 ¦ zone == "door"
            fn left(zone) { switch zone { "pen" => this.a = 1, "door" => this.a = 2, _ => () } } ¦ 1 ¦ zone == "door" zone == "pen"
            fn entered(zone) { if FORM == "a" && zone == "door" { this.a = 1; } } ¦ 1 ¦
            "#,
        ) {
            let found: Vec<_> =
                behavior(&head, &body).requirements().iter().map(|it| it.written.clone()).collect();
            assert_eq!(found.join(" "), expected, "{head} {body}");
        }
    }

    #[test]
    fn a_behavior_may_act_without_parts_that_it_tests_for() {
        for [head, body, acts] in rows(
            r#"
            ¦ let p = world.player; if p == () { return (); } p.position ¦ false
            ¦ let p = world.player; if p != () { return p.position; } ¦ false
            ¦ let p = world.player; if p == () { return 1; } p.position ¦ true
            ¦ let p = world.player; if p == () { p = me; } p.position ¦ true
            ¦ world.player.position - me.position ¦ false
            ¦ (world.player ?? me).position ¦ true
            ¦ world.player?.position ¦ false
            ¦ if world.player == () && me.speed > 3 { me.mark("alone"); } ¦ true
            ¦ if world.player != () && me.speed > 3 { me.mark("alone"); } ¦ false
            ¦ me.draw_circle(me.position, 3); if world.player == () { return (); } 1 ¦ false
            fn goal(world) { world.player } ¦ let p = goal(world); if p == () { return (); } 1 ¦ false
            fn to(me, it) { if it == () { return (); } it.position - me.position } ¦ to(me, world.player) ¦ false
            ¦ let p = world.player; if me.enemies.is_empty { p = (); } if p == () { return (); } 1 ¦ false
            "#,
        ) {
            let lacking = behavior(&head, &body).without(&[Need::Player]);
            assert_eq!(lacking.acts.to_string(), acts, "{head} {body}");
        }
    }

    #[test]
    fn code_after_a_test_for_a_view_needs_none() {
        let careful = behavior("", "if me.has_view { return me.neighbors.len; } 0");
        assert_eq!(careful.requirements().len(), 1);
        assert_eq!(careful.without(&[Need::View]).requirements, []);
    }
}
