//! Warnings about needs of rules that a scene does not meet.

use glam::Vec3;
use steerbox_core::diagnostics::{Fault, Fix, quoted_suggestion};
use steerbox_core::text::TextEdit;
use steerbox_core::world::{Body, Contact};
use steerbox_scene::{GroupPlan, KeyAction, Scene, ScriptUse};
use steerbox_script::{Need, Requirement};

use super::planned::Planned;

/// Returns a warning for each need of a group's rules that the scene does not meet, and for each unknown name of a
/// view, a path or a flow field. Skips disabled rules.
pub(super) fn warnings(scene: &Scene, behaviors: &[Vec<Planned>]) -> Vec<Fault> {
    let mut warnings: Vec<Fault> = Vec::new();
    for (index, (plan, planned)) in scene.groups.iter().zip(behaviors).enumerate() {
        let running = plan.behaviors.iter().zip(planned);
        let running = running.filter(|(_, planned)| planned.enabled && planned.gain != 0.0);
        let running: Vec<_> = running.collect();
        let absent = absent(scene, plan);
        let unmet = unmet(&absent, &running);
        warnings.extend(unmet.iter().map(|unmet| unmet.warning(scene, index)));
        warnings.extend(motionless((scene, index), &absent, &running));
        for fault in running.iter().flat_map(|(_, planned)| unknown_names(scene, planned)) {
            if !warnings.contains(&fault) {
                warnings.push(fault);
            }
        }
    }
    warnings
}

/// Returns the needs that a scene does not meet for a group. In a scene whose hint is about the target, the user sets
/// the target.
fn absent(scene: &Scene, plan: &GroupPlan) -> Vec<Need> {
    let group = &plan.common;
    let is_view = |action: &KeyAction| matches!(action, KeyAction::View(Some(_)));
    let hint = scene.hint.as_deref().unwrap_or_default();
    let target_by_hand = hint.to_lowercase().contains("target");
    let view_by_key = !plan.is_player && scene.keys.iter().any(|key| is_view(&key.action));
    let is_absent = [
        (Need::View, group.view.is_none() && !view_by_key),
        (Need::Enemies, group.enemies == 0 || group.sense == 0.0),
        (Need::Contacts, scene.world.contacts.units == Contact::None),
        (Need::Path, group.path.is_none()),
        (Need::Field, group.flow.is_none()),
        (Need::Player, !scene.groups.iter().any(|group| group.is_player)),
        (Need::Target, scene.world.target.is_none() && !target_by_hand),
    ];
    is_absent.into_iter().filter(|(_, is_absent)| *is_absent).map(|(need, _)| need).collect()
}

/// Returns a warning if the units of a group with rules start at rest and no rule ever moves them.
fn motionless(
    (scene, index): (&Scene, usize),
    absent: &[Need],
    running: &[(&ScriptUse, &Planned)],
) -> Option<Fault> {
    let plan = &scene.groups[index];
    let body = &plan.common.body;
    let is_moved = plan.is_player || scene.world.contacts.units != Contact::None || plan.count == 0;
    if is_moved || running.is_empty() || !plan.spawn.is_at_rest(body) {
        return None;
    }
    let is_driven = matches!(body, Body::Rigid(body) if body.thrust > 0.0);
    let acts = |(_, planned): &(&ScriptUse, &Planned)| {
        planned.behavior.as_ref().is_none_or(|behavior| behavior.without(absent).acts)
    };
    let (cause, help) = match body {
        Body::Mover(body) if body.max_velocity_change == 0.0 => {
            ("their `max_velocity_change` is 0", "write a larger `max_velocity_change`, or leave it out")
        }
        Body::Mover(body) if body.axes == Vec3::ZERO => {
            ("their `axes` are 0", "write 1 for each axis along which they move")
        }
        _ if !is_driven && !running.iter().any(acts) => {
            ("no rule returns a push or a turn", "return a contribution, or write a `speed` in `spawn`")
        }
        _ => return None,
    };
    let message = format!("no unit of group {} moves: all start at rest, and {cause}", plan.common.name);
    Some(scene.fault(scene.spans.groups.get(index)?, message).help(help).warning())
}

/// A need of a group's rules that is not met.
struct Unmet<'a> {
    need: Need,
    /// The expression of the rules, such as `me.neighbors`.
    written: String,
    /// The rules by their scripts.
    rules: Vec<&'a str>,
    /// The first of them in the scene.
    first: &'a ScriptUse,
}

/// Returns the unmet needs of running rules. A value that is `()` counts only if the rule then does nothing; an empty
/// list always counts.
fn unmet<'a>(absent: &[Need], running: &[(&'a ScriptUse, &Planned)]) -> Vec<Unmet<'a>> {
    let mut all: Vec<Unmet<'a>> = Vec::new();
    for (used, planned) in running {
        let Some(behavior) = planned.behavior.as_ref() else {
            continue;
        };
        if !absent.iter().any(|need| planned.requires(*need)) {
            continue;
        }
        let lacking = behavior.without(absent);
        for Requirement { need, written, .. } in lacking.requirements {
            if !absent.contains(&need) || (lacking.acts && !is_list(need)) {
                continue;
            }
            match all.iter_mut().find(|known| known.written == written) {
                Some(known) if known.rules.contains(&used.script.as_str()) => {}
                Some(known) => known.rules.push(&used.script),
                None => all.push(Unmet { need, written, rules: vec![&used.script], first: used }),
            }
        }
    }
    all
}

/// Returns true if the need is a list, which is empty without it; other values are `()` then.
fn is_list(need: Need) -> bool {
    matches!(need, Need::View | Need::Enemies | Need::Contacts)
}

impl Unmet<'_> {
    fn warning(&self, scene: &Scene, index: usize) -> Fault {
        let (cause, help) = cause_and_remedy(self.need, scene, &scene.groups[index]);
        let (written, rules) = (&self.written, listed(&self.rules));
        let message = match (is_list(self.need), &self.rules[..]) {
            _ if written.starts_with("fn ") => {
                format!("{cause}, so that `{written}` of {rules} is never called")
            }
            (true, _) => format!("{cause}, so that `{written}` of {rules} is empty"),
            (_, [_]) => format!("{cause}, so that `{written}` is `()` and {rules} does nothing"),
            _ => format!("{cause}, so that `{written}` is `()` and {rules} do nothing"),
        };
        let span = match (self.need, scene.spans.groups.get(index)) {
            (Need::View, Some(group)) => group,
            _ => &self.first.span,
        };
        scene.fault(span, message).help(help).fixed(fix(self.need, scene, index)).warning()
    }
}

/// Returns the fix that adds a missing part to a scene or to one of its groups.
fn fix(need: Need, scene: &Scene, index: usize) -> Option<Fix> {
    let plan = &scene.groups[index];
    let of_group = |field: &str| {
        let start = scene.spans.group_fields.get(index)?;
        Some(TextEdit::insert(*start, format!("{field}, ")))
    };
    let of_scene = |field: &str| TextEdit::insert(scene.spans.fields, format!("\n    {field},"));
    let (title, edits) = match need {
        Need::View => match views(scene).next() {
            Some(view) => ("add a view to the group", vec![of_group(&format!("view: \"{view}\""))?]),
            None if scene.world.views.is_empty() => {
                let view = "views: {\"around\": Around(radius: 60)}";
                ("add a view", vec![of_scene(view), of_group("view: \"around\"")?])
            }
            None => return None,
        },
        Need::Path => {
            ("add the path to the group", vec![of_group(&format!("path: \"{}\"", paths(scene).next()?))?])
        }
        Need::Field => (
            "add the flow field to the group",
            vec![of_group(&format!("field: \"{}\"", fields(scene).next()?))?],
        ),
        Need::Enemies if plan.common.enemies == 0 => {
            let kind = enemy(scene, plan)?;
            ("add enemies to the group", vec![of_group(&format!("enemies: [\"{kind}\"]"))?])
        }
        Need::Target => ("add a target", vec![of_scene(&format!("target: {}", point(scene)))]),
        _ => return None,
    };
    Some(Fix::new(title, edits))
}

/// Returns the missing part of a scene or of one of its groups, and the remedy.
fn cause_and_remedy(need: Need, scene: &Scene, plan: &GroupPlan) -> (String, String) {
    let name = &plan.common.name;
    let group = if plan.is_player { "the player".to_owned() } else { format!("group {name}") };
    match need {
        Need::View => {
            (format!("{group} has no view"), named("view", "Around(radius: 60)", views(scene).next()))
        }
        Need::Enemies if plan.common.enemies == 0 => {
            (format!("{group} has no enemies"), enemies(scene, plan))
        }
        Need::Enemies => {
            (format!("{group} has a `sense` of 0"), "make `sense` larger, or leave it out".to_owned())
        }
        Need::Contacts => {
            let help = "add `contacts: (units: Separate)` to the scene".to_owned();
            ("units have no contacts".to_owned(), help)
        }
        Need::Path => {
            let example = format!("(points: [{}, …])", point(scene));
            (format!("{group} has no path"), named("path", &example, paths(scene).next()))
        }
        Need::Field => {
            let example = "Grid(columns: 2, vectors: [(1, 0), (0, 1)])";
            (format!("{group} has no flow field"), named("field", example, fields(scene).next()))
        }
        Need::Player => {
            let help = "add `player: (body: \"…\")` to the scene".to_owned();
            ("the scene has no player".to_owned(), help)
        }
        // Needs by name are never absent.
        Need::Target
        | Need::NamedView
        | Need::NamedPath
        | Need::NamedField
        | Need::NamedZone
        | Need::NamedGroup
        | Need::BirthGroup
        | Need::NamedGrid => {
            let at = point(scene);
            let help = format!(
                "add a target to the scene, for example `target: {at}`, or a `hint` with the word target, if a right click sets it"
            );
            ("the scene has no target".to_owned(), help)
        }
    }
}

/// Returns the remedy for a field that names a part of the scene; `example` is such a part for a scene without any.
fn named(field: &str, example: &str, known: Option<&str>) -> String {
    match known {
        Some(name) => format!("add `{field}: \"{name}\"` to the group"),
        None => {
            format!(
                "add, for example, `{field}s: {{\"a\": {example}}}` to the scene, and `{field}: \"a\"` to the group"
            )
        }
    }
}

/// Returns the center of the world in the syntax of scenes.
fn point(scene: &Scene) -> String {
    let arena = &scene.world.arena;
    let at = arena.origin + arena.center().as_dvec3();
    if arena.is_plane() { format!("({}, {})", at.x, at.y) } else { format!("({}, {}, {})", at.x, at.y, at.z) }
}

fn enemies(scene: &Scene, plan: &GroupPlan) -> String {
    match enemy(scene, plan) {
        Some(kind) => format!("add `enemies: [\"{kind}\"]` to the group"),
        None => "add a group of another kind, and name it in `enemies`".to_owned(),
    }
}

/// Returns a kind of which the group is not.
fn enemy<'a>(scene: &'a Scene, plan: &GroupPlan) -> Option<&'a str> {
    let others = scene.groups.iter().map(|other| other.common.kinds & !plan.common.kinds);
    let kinds = others.fold(0, |all, kinds| all | kinds);
    scene.world.kinds.of(kinds).next()
}

fn listed(rules: &[&str]) -> String {
    match rules {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        rules => rules.concat(),
    }
}

fn views(scene: &Scene) -> impl Iterator<Item = &str> + Clone {
    scene.world.views.iter().map(|view| view.name.as_str())
}

fn paths(scene: &Scene) -> impl Iterator<Item = &str> + Clone {
    scene.world.paths.iter().map(|path| path.name.as_str())
}

fn fields(scene: &Scene) -> impl Iterator<Item = &str> + Clone {
    scene.world.flows.iter().map(|flow| flow.name.as_str())
}

/// Returns the warnings about names that a rule passes and `before` has, but not `scene`.
pub(super) fn lost_names(before: &Scene, scene: &Scene, planned: &Planned) -> Vec<Fault> {
    let known = unknown_names(before, planned);
    let is_known = |fault: &Fault| known.iter().any(|other| other.message == fault.message);
    unknown_names(scene, planned).into_iter().filter(|fault| !is_known(fault)).collect()
}

/// Returns a warning for each name that a rule passes and the scene does not have: the call fails when it is reached.
fn unknown_names(scene: &Scene, planned: &Planned) -> Vec<Fault> {
    let (Some(script), Some(behavior)) = (&planned.script, &planned.behavior) else {
        return Vec::new();
    };
    let unknown = |requirement: &Requirement| {
        let name = requirement.name.as_deref()?;
        let (what, field, known): (_, _, Vec<&str>) = match requirement.need {
            Need::NamedView => ("view", "views", views(scene).collect()),
            Need::NamedPath => ("path", "paths", paths(scene).collect()),
            Need::NamedField => ("flow field", "fields", fields(scene).collect()),
            Need::NamedZone => {
                ("zone", "zones", scene.world.zones.iter().map(|it| it.name.as_str()).collect())
            }
            Need::NamedGroup | Need::BirthGroup => {
                ("group", "groups", scene.groups.iter().map(|it| it.common.name.as_str()).collect())
            }
            Need::NamedGrid => {
                ("grid", "grids", scene.world.grids.iter().map(|it| it.name.as_str()).collect())
            }
            _ => return None,
        };
        let fault = |message: &str, help: String| {
            let fault = script.fault_at(requirement.file.as_deref(), requirement.place, message);
            Some(fault.help(help).warning())
        };
        if known.contains(&name) {
            let has_no_births = requirement.need == Need::BirthGroup && !has_births(scene, name);
            let help = format!("add, for example, `most: 1000` to the group \"{name}\" in {}", scene.path);
            let message = format!("no unit is born in the group \"{name}\", since it has no `most`");
            return has_no_births.then(|| fault(&message, help)).flatten();
        }
        let help = quoted_suggestion(name, known);
        let help = help.unwrap_or_else(|| format!("add it to `{field}` of {}", scene.path));
        fault(&format!("the scene has no {what} \"{name}\""), help)
    };
    behavior.requirements().iter().filter_map(unknown).collect()
}

fn has_births(scene: &Scene, group: &str) -> bool {
    scene.groups.iter().any(|plan| plan.common.name == group && plan.common.most.is_some())
}
