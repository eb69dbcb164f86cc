//! Tests of functions that handle events.

use steerbox_core::sim::{Event, Handled, UnitContext};
use steerbox_core::world::{Contact, Contacts};

use super::*;

/// A unit that moves along x at 10 per second through two zones, in steps of 0.5 s, and one that stands in its way.
fn traffic(text: &str, execution: Execution) -> Simulation {
    let mut world = world();
    world.arena.edges = Edges::Bounce;
    world.groups[0].body = Body::Mover(Mover { length: 2.0, max_speed: 10.0, ..Mover::default() });
    world.units = Units::default();
    for (index, (x, speed)) in [(10.0, 10.0), (41.0, 0.0)].into_iter().enumerate() {
        let (position, velocity) = (Vec3::new(x, 20.0, 0.0), Vec3::X * speed);
        world.units.push(position, velocity, (Vec3::X, Vec3::Z), 0, unit_key("flock", index));
    }
    world.groups[0].units = 0..2;
    world.obstacles = Vec::new().into();
    world.contacts = Contacts { units: Contact::Separate, ..Contacts::default() };
    for (name, x) in [("door", 20.0), ("hall", 23.0)] {
        let solid = Solid::Ball { center: Vec3::new(x, 20.0, 0.0), radius: 4.0 };
        world.zones.push(Zone { name: name.to_owned(), area: solid.into() });
    }
    let script = compiled(text);
    world.marks.intern_all(&script.marks);
    world.name_signals(&script.signals);
    let program = Program::fold(&script, &[]).unwrap();
    let behavior: Arc<dyn Behavior> = Arc::new(ScriptBehavior::new(program, execution));
    Simulation::new(world, vec![vec![Slot::new("test", 1, Some(behavior))]])
}

/// Runs steps in both modes, compares them, and returns the numbers that `steer` of the first unit returns.
fn run(text: &str, steps: usize) -> Vec<f32> {
    let mut simulations = [Execution::Native, Execution::Interpreted].map(|mode| traffic(text, mode));
    let mut numbers = Vec::new();
    for _ in 0..steps {
        simulations.iter_mut().for_each(Simulation::step);
        let [native, interpreted] = &simulations;
        assert_eq!(native.reports(), interpreted.reports());
        assert_eq!(native.hash(), interpreted.hash());
        if let Contribution::Push(push) = native.decisions(0).next().unwrap().1 {
            numbers.push(push.y * 1e6);
        }
    }
    assert_eq!(simulations[0].reports(), [], "{text}");
    numbers.iter().map(|number| number.round()).collect()
}

/// A behavior that returns the field `n` of its memory, small enough to have no effect on the motion.
fn counting(handlers: &str) -> String {
    format!("const MEMORY = #{{ n: 0 }};\n{handlers}\nfn steer(me, world) {{ vec(0, this.n * 0.000001) }}")
}

#[test]
fn zones_are_entered_and_left_once_in_order() {
    // Positions before the steps: 10, 15, 20, 25, 30.
    let text = counting(
        "fn entered(zone) { this.n = this.n * 10 + if zone == \"door\" { 1 } else { 2 }; }
         fn left(zone) { this.n = this.n * 10 + if zone == \"door\" { 3 } else { 4 }; }",
    );
    assert_eq!(run(&text, 6), [0.0, 0.0, 12.0, 123.0, 1234.0, 1234.0]);
    // A string of the script that is not a zone, and a comparison with another string.
    let text = counting("fn entered(zone) { if zone != \"gate\" && \"hall\" == zone { this.n += 1 } }");
    assert_eq!(run(&text, 4), [0.0, 0.0, 1.0, 1.0]);
    let text = counting(
        "fn left(zone) { switch zone { \"door\" => this.n += 1, \"hall\" => this.n += 5, _ => () } }",
    );
    assert_eq!(run(&text, 5), [0.0, 0.0, 0.0, 1.0, 6.0]);
}

#[test]
fn a_contact_calls_both_units_once_when_it_begins() {
    let text = counting(
        "fn touched(other, me, world) { this.n += 1 + other.id * 10 + me.id * 100; if world.time < 1.0 { this.n = 0 } }",
    );
    let numbers = run(&text, 12);
    assert_eq!(numbers.last(), Some(&11.0), "{numbers:?}");
    assert_eq!(numbers.iter().filter(|number| **number == 0.0).count(), 6, "{numbers:?}");
}

#[test]
fn effects_of_handlers_are_visible_in_the_next_step() {
    let text = "fn entered(zone, me) { me.mark(\"in\"); me.signal(\"n\", 3); }
                fn steer(me, world) { vec(0, 0.000001 * (me.signal(\"n\") + if me.has_mark(\"in\") { 1 } else { 0 })) }";
    // A second zone is entered in the same step; the signal remains.
    assert_eq!(run(text, 5), [0.0, 0.0, 4.0, 3.0, 3.0]);
}

#[test]
fn events_are_the_same_after_a_return_to_the_past() {
    let text = counting(
        "fn touched(other) { this.n += 1 }
         fn entered(zone) { this.n = this.n * 10 + if zone == \"door\" { 1 } else { 2 }; }
         fn left(zone) { this.n = this.n * 10 + if zone == \"door\" { 3 } else { 4 }; }",
    );
    let mut simulation = traffic(&text, Execution::Native);
    let mut states = Vec::new();
    for _ in 0..9 {
        states.push((simulation.snapshot(), simulation.hash()));
        simulation.step();
    }
    let last = simulation.hash();
    for (step, (snapshot, hash)) in states.iter().enumerate().rev() {
        simulation.restore(snapshot);
        assert_eq!(simulation.hash(), *hash);
        (step..9).for_each(|_| simulation.step());
        assert_eq!(simulation.hash(), last, "from step {step}");
    }
    let of_unit = |unit: usize| f32::from_bits(simulation.memory(unit).next().unwrap().2[0]);
    assert_eq!([0, 1].map(of_unit), [1235.0, 1.0]);
}

#[test]
fn random_draws_of_events_differ() {
    let text = "const MEMORY = #{ a: 0.0, b: 0.0, same: 0 };
                fn entered(zone, me) { if zone == \"door\" { this.a = me.random() } else { this.b = me.random() } }
                fn steer(me, world) { let c = me.random();
                    if this.a != 0.0 && (this.a == this.b || this.a == c || this.b == c) { this.same += 1 }
                    vec(0, if this.a == 0.0 { 0 } else { 0.000001 * (this.same + 1) }) }";
    assert_eq!(run(text, 4), [0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn a_failing_handler_is_reported_and_its_writes_remain() {
    let text = counting("fn entered(zone) { this.n += 1; let zero = 0; this.n += 1 / zero; }");
    for mode in [Execution::Native, Execution::Interpreted] {
        let mut simulation = traffic(&text, mode);
        (0..3).for_each(|_| simulation.step());
        let report = &simulation.reports()[0];
        let failure = &report.failure;
        assert_eq!((failure.line, report.unit, report.count, report.first_step), (2, 0, 2, 2), "{failure:?}");
        assert!(failure.message.starts_with("Division by zero"), "{failure:?}");
        assert_eq!(simulation.memory(0).next().unwrap().2, [2.0_f32.to_bits()]);
    }
}

#[test]
fn a_handler_that_exceeds_the_work_limit_suspends_its_behavior() {
    let text = counting("fn entered(zone) { loop { this.n += 1 } }");
    let mut hashes = Vec::new();
    for mode in [Execution::Native, Execution::Interpreted] {
        let mut simulation = traffic(&text, mode);
        (0..4).for_each(|_| simulation.step());
        assert!(simulation.reports()[0].failure.exhausted, "{:?}", simulation.reports());
        assert!(simulation.reports()[0].suspended.is_some());
        assert!(simulation.slots(0)[0].suspended().is_some());
        hashes.push(simulation.hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_parent_may_be_missing() {
    let text = "const MEMORY = #{ from: -1.0 };
                fn born(parent, me) { this.from = if parent == () { 9.0 } else { parent.id * 10.0 + me.id } }
                fn steer(me, world) { }";
    for mode in [Execution::Native, Execution::Interpreted] {
        let program = Program::fold(&compiled(text), &[]).unwrap();
        let behavior = ScriptBehavior::new(program, mode);
        assert_eq!(
            (behavior.unsupported(), behavior.is_native()),
            (None, cfg!(feature = "native") && mode == Execution::Native)
        );
        let mut context = UnitContext::new(Arc::new(Frozen::new(world())));
        let mut born = |unit: usize, parent: Option<usize>| {
            let mut memory = [0];
            context.set_unit(unit);
            context.set_behavior(0, 1);
            behavior.handle(Event::Born { parent }, &mut context, &mut memory).unwrap();
            f32::from_bits(memory[0])
        };
        assert_eq!([born(0, None), born(1, Some(2)), born(2, Some(99))], [9.0, 21.0, 9.0]);
    }
}

#[test]
fn calls_that_fail_at_births_are_found() {
    use steerbox_core::diagnostics::Severity::{Error, Warning};
    use steerbox_core::sim::NOT_AT_BIRTH;
    let places = |text: &str| match Script::compile("test.rhai", text) {
        Ok(script) => script.warnings,
        Err(faults) => faults,
    };
    let places = |text: &str| -> Vec<_> {
        let found = places(text).into_iter().filter(|fault| fault.message == NOT_AT_BIRTH);
        found.map(|fault| (fault.severity, fault.line)).collect()
    };
    for call in
        ["me.die();", "me.spawn(\"a\");", "spawn(me, \"a\", vec(0, 0), vec(1, 0));", "me.face(vec(1, 0));"]
    {
        let direct = format!(
            "fn born(parent, me) {{\nif me.index > 3 {{ {call} }}\n}}\nfn steer(me, world) {{ {call} }}"
        );
        assert_eq!(places(&direct), [(Error, 2)], "{call}");
        let passed = format!(
            "fn born(parent, me, world) {{ a(me); }}\nfn a(me) {{ b(me, 1); }}\nfn b(me, n) {{ a(me); {call} }}\nfn steer(me, world) {{ b(me, 1); }}"
        );
        assert_eq!(places(&passed), [(Warning, 3)], "{call}");
    }
    let other =
        "fn born(parent, me) { spawn(1); }\nfn spawn(n) { }\nfn steer(me, world) { me.die(); spawn(2); }";
    assert_eq!(places(other), []);
}

#[test]
fn handlers_are_recognized_by_name_and_number_of_arguments() {
    let faults =
        |head: &str| match Script::compile("test.rhai", &format!("{head}\nfn steer(me, world) {{ }}")) {
            Ok(script) => {
                let names: Vec<_> = script.handlers.iter().map(|it| it.kind.name()).collect();
                let warnings = script.warnings.iter().map(|it| it.message.clone());
                (names, warnings.collect())
            }
            Err(faults) => (Vec::new(), faults.iter().map(|it| it.message.clone()).collect::<Vec<_>>()),
        };
    let memory = "const MEMORY = #{ n: 0 };";
    let found = faults(&format!("{memory} fn left(zone) {{ }} fn born(a, b, c) {{ }}"));
    assert_eq!(found, (vec!["born", "left"], Vec::new()));
    let message = "`fn touched` takes 1 to 3 arguments, other, me and world, not 0";
    assert_eq!(faults(&format!("{memory} fn touched() {{ }}")).1, [message]);
    assert_eq!(
        faults(&format!("{memory} fn left(a) {{ }} fn left(a, b) {{ }}")).1,
        ["there are two functions `left`"]
    );
    assert_eq!(
        faults("fn entered(zone) { }").1,
        ["`fn entered` has no memory to write to: it has no effect"]
    );
    assert_eq!(faults("fn entered(zone, me) { }").1, [""; 0]);
    let message = "the function `toched` is never called";
    assert_eq!(faults(&format!("{memory} fn toched(other) {{ }} fn lift(a) {{ a }}")).1, [message]);
    assert_eq!(faults(&format!("{memory} fn toched(other) {{ }} fn lift(a) {{ toched(a) }}")).1, [""; 0]);
    // A function that the script calls itself is a helper.
    assert_eq!(faults("fn left(v) { v.x } fn up(v) { left(v) }"), (Vec::new(), Vec::new()));
    let flow = Script::compile("flow.rhai", "fn born() { } fn flow(point, world) { point }").unwrap();
    assert!(flow.handlers.is_empty() && behavior("fn steer(me, world) { }", &[]).handled() == Handled::NONE);
}
