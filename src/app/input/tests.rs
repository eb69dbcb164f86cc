//! Input without a window: order, nothing lost between frames, nothing stuck.

use egui::{Event, Key, Modifiers, PointerButton, pos2};
use glam::{Vec2, vec2};
use minifb::Key as Raw;

use super::{Buttons, Collector, Sample};

fn at(pointer: Vec2, primary: bool) -> Sample {
    let buttons = Buttons {
        primary,
        ..Buttons::default()
    };
    Sample {
        pointer,
        buttons,
        focused: true,
        size: (200, 100),
        ..Sample::default()
    }
}

#[test]
fn a_click_between_two_frames_is_seen_where_it_was() {
    let mut collector = Collector::new(2.0);
    collector.sample(at(vec2(10.0, 20.0), false));
    collector.sample(at(vec2(12.0, 20.0), true));
    collector.sample(at(vec2(14.0, 20.0), false));
    let input = collector.take(0.5);
    let buttons: Vec<_> = input
        .pointer
        .changes
        .iter()
        .map(|change| change.pressed)
        .collect();
    assert_eq!(buttons, [true, false]);
    assert_eq!(input.pointer.position, Some(vec2(14.0, 20.0)));
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let expected = [
        Event::PointerMoved(pos2(5.0, 10.0)),
        Event::PointerMoved(pos2(6.0, 10.0)),
        button(pos2(6.0, 10.0), true),
        Event::PointerMoved(pos2(7.0, 10.0)),
        button(pos2(7.0, 10.0), false),
    ];
    assert_eq!(input.egui.events, expected);
    assert_eq!(
        input.egui.screen_rect.unwrap().size(),
        egui::vec2(100.0, 50.0)
    );
    assert!(collector.take(0.6).egui.events.is_empty());
}

#[test]
fn a_drag_goes_on_outside_and_then_the_pointer_is_gone() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(vec2(190.0, 20.0), false));
    collector.sample(at(vec2(190.0, 20.0), true));
    collector.sample(at(vec2(240.0, 20.0), true));
    assert_eq!(
        collector.take(0.0).pointer.position,
        Some(vec2(240.0, 20.0))
    );
    collector.sample(at(vec2(240.0, 20.0), false));
    collector.sample(at(vec2(241.0, 20.0), false));
    let input = collector.take(0.0);
    assert_eq!(input.egui.events.last(), Some(&Event::PointerGone));
    assert_eq!(input.pointer.position, None);
}

#[test]
fn the_wheel_adds_up() {
    let mut collector = Collector::new(1.0);
    for _ in 0..3 {
        collector.sample(Sample {
            wheel: vec2(0.0, -1.0),
            ..at(vec2(1.0, 1.0), false)
        });
    }
    assert_eq!(collector.take(0.0).pointer.wheel, vec2(0.0, -3.0));
    assert_eq!(collector.take(0.0).pointer.wheel, Vec2::ZERO);
}

#[test]
fn keys_and_text_keep_their_order() {
    let mut collector = Collector::new(1.0);
    for (key, character) in [(Raw::H, 'h'), (Raw::I, 'i')] {
        collector.key(key, true);
        collector.character(character);
        collector.key(key, false);
    }
    collector.key(Raw::Enter, true);
    collector.character('\r');
    collector.key(Raw::LeftCtrl, true);
    collector.key(Raw::C, true);
    collector.character('\u{3}');
    let input = collector.take(0.0);
    let pressed: Vec<_> = input.pressed().map(|change| change.key).collect();
    assert_eq!(pressed, [Key::H, Key::I, Key::Enter, Key::C]);
    let texts = input
        .egui
        .events
        .iter()
        .filter(|event| matches!(event, Event::Text(_)));
    let expected = [Event::Text("h".into()), Event::Text("i".into())];
    assert_eq!(texts.cloned().collect::<Vec<_>>(), expected);
    assert_eq!(input.egui.events.last(), Some(&Event::Copy));
    assert!(input.modifiers.command && input.is_held(Key::Enter) && !input.is_held(Key::H));
}

#[test]
fn repeats_are_told_from_presses() {
    let mut collector = Collector::new(1.0);
    for _ in 0..3 {
        collector.key(Raw::Left, true);
    }
    let input = collector.take(0.0);
    assert_eq!(input.keys.len(), 3);
    assert_eq!(input.pressed().count(), 1);
    assert_eq!(input.held, [Key::ArrowLeft]);
}

#[test]
fn losing_the_keyboard_releases_everything() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(Vec2::ZERO, false));
    collector.key(Raw::LeftShift, true);
    collector.key(Raw::Up, true);
    assert!(collector.take(0.0).modifiers.shift);
    collector.sample(Sample {
        focused: false,
        ..at(Vec2::ZERO, false)
    });
    let input = collector.take(0.0);
    assert!(!input.focused && input.held.is_empty() && input.modifiers.is_none());
    assert_eq!(input.keys.len(), 1);
    assert!(input.egui.events.contains(&Event::WindowFocused(false)));
}
