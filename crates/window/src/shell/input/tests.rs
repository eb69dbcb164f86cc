//! Input without a window: order, no lost events between frames, no stuck keys.

use egui::{Event, Key, Modifiers, PointerButton, pos2};
use glam::{Vec2, vec2};
use minifb::Key as Raw;

use super::{Collector, Sample};
use crate::model::frame_input::{ButtonChange, PointerEvent};
use crate::shell::clipboard::Clipboard;

fn at(pointer: Vec2) -> Sample {
    Sample { pointer, focused: true, size: (200, 100) }
}

fn press(position: Vec2, pressed: bool, modifiers: Modifiers) -> PointerEvent {
    PointerEvent::Button(ButtonChange { button: PointerButton::Primary, pressed, position, modifiers })
}

#[test]
fn a_click_between_two_polls_has_its_position_and_modifiers() {
    let mut collector = Collector::new(2.0);
    collector.sample(at(vec2(10.0, 20.0)));
    collector.pointer(press(vec2(12.0, 20.0), true, Modifiers::SHIFT));
    collector.pointer(press(vec2(12.0, 20.0), false, Modifiers::NONE));
    collector.sample(at(vec2(14.0, 20.0)));
    let input = collector.take(0.5);
    let changes = input.pointer.changes.iter();
    let presses: Vec<_> = changes.map(|change| (change.pressed, change.modifiers.shift)).collect();
    assert_eq!(presses, [(true, true), (false, false)]);
    assert!(!input.pointer.held.any());
    assert_eq!(input.pointer.position, Some(vec2(12.0, 20.0)));
    let button = |pressed, modifiers| Event::PointerButton {
        pos: pos2(6.0, 10.0),
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    let expected = [
        Event::PointerMoved(pos2(5.0, 10.0)),
        Event::PointerMoved(pos2(6.0, 10.0)),
        button(true, Modifiers::SHIFT),
        button(false, Modifiers::NONE),
    ];
    assert_eq!(input.egui.events, expected);
    assert_eq!(input.egui.screen_rect.unwrap().size(), egui::vec2(100.0, 50.0));
    // The panel evaluates the pointer's position at the end of a frame: later events are in the next one.
    let input = collector.take(0.6);
    assert_eq!(input.egui.events, [Event::PointerMoved(pos2(7.0, 10.0))]);
    assert_eq!(input.pointer.position, Some(vec2(14.0, 20.0)));
    assert_eq!((input.time, input.egui.time), (0.6, Some(0.6)));
    assert!(collector.take(0.7).egui.events.is_empty());
}

#[test]
fn a_click_before_a_key_is_handled_before_it() {
    let mut collector = Collector::new(1.0);
    let place = vec2(10.0, 20.0);
    collector.sample(at(place));
    for pressed in [true, false] {
        collector.pointer(press(place, pressed, Modifiers::NONE));
    }
    collector.key(Raw::S, true);
    collector.pointer(press(place, true, Modifiers::NONE));
    let first = collector.take(0.0);
    assert_eq!((first.pointer.changes.len(), first.keys.len()), (2, 0));
    let second = collector.take(0.0);
    assert_eq!((second.pointer.changes.len(), second.keys[0].key), (1, Key::S));
}

#[test]
fn clicks_that_arrive_together_are_separate_clicks() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(vec2(10.0, 20.0)));
    let places = [vec2(10.0, 20.0), vec2(10.0, 20.0), vec2(90.0, 20.0)];
    for place in places {
        collector.pointer(press(place, true, Modifiers::NONE));
        collector.pointer(press(place, false, Modifiers::NONE));
    }
    collector.sample(at(vec2(90.0, 20.0)));
    for place in places {
        let input = collector.take(0.0);
        assert_eq!(input.pointer.changes.len(), 2);
        assert_eq!(input.pointer.position, Some(place));
    }
    assert!(collector.take(0.0).pointer.changes.is_empty());
}

#[test]
fn a_drag_within_one_frame_is_pressed_in_one_and_released_in_the_next() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(vec2(10.0, 20.0)));
    collector.pointer(press(vec2(10.0, 20.0), true, Modifiers::NONE));
    collector.sample(at(vec2(30.0, 20.0)));
    collector.sample(at(vec2(50.0, 20.0)));
    collector.pointer(press(vec2(60.0, 20.0), false, Modifiers::NONE));
    let input = collector.take(0.0);
    assert_eq!(input.pointer.position, Some(vec2(10.0, 20.0)));
    assert!(input.pointer.held.primary);
    let input = collector.take(0.0);
    assert_eq!(input.pointer.position, Some(vec2(60.0, 20.0)));
    assert!(!input.pointer.held.primary);
    assert_eq!(input.pointer.changes.len(), 1);
}

#[test]
fn a_drag_continues_outside_the_window_until_the_release() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(vec2(190.0, 20.0)));
    collector.pointer(press(vec2(190.0, 20.0), true, Modifiers::NONE));
    collector.sample(at(vec2(240.0, 20.0)));
    assert_eq!(collector.take(0.0).pointer.changes.len(), 1);
    let input = collector.take(0.0);
    assert_eq!(input.pointer.position, Some(vec2(240.0, 20.0)));
    assert!(input.pointer.held.primary);
    collector.pointer(press(vec2(240.0, 20.0), false, Modifiers::NONE));
    collector.sample(at(vec2(241.0, 20.0)));
    assert_eq!(collector.take(0.0).pointer.changes.len(), 1);
    let input = collector.take(0.0);
    assert_eq!(input.egui.events.last(), Some(&Event::PointerGone));
    assert_eq!(input.pointer.position, None);
}

#[test]
fn the_wheel_adds_up() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(vec2(1.0, 1.0)));
    for _ in 0..3 {
        collector.pointer(PointerEvent::Wheel(vec2(0.0, -1.0), Modifiers::NONE));
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
    // Each press may change the receiver of the next one: it has a separate frame, with its text.
    let mut input = collector.take(0.0);
    for (key, text) in [(Key::H, Some("h")), (Key::I, Some("i")), (Key::Enter, None), (Key::C, None)] {
        let pressed: Vec<_> = input.pressed().map(|change| change.key).collect();
        assert_eq!(pressed, [key]);
        let texts = input.egui.events.iter().filter(|event| matches!(event, Event::Text(_)));
        let expected = text.map(|text| Event::Text(text.into()));
        assert_eq!(texts.cloned().collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
        if key != Key::C {
            input = collector.take(0.0);
        }
    }
    assert_eq!(input.egui.events.last(), Some(&Event::Copy));
    assert!(input.modifiers.command && input.is_held(Key::Enter) && !input.is_held(Key::H));
}

#[test]
fn typed_letters_share_a_frame_and_the_keys_that_end_a_text_do_not() {
    let mut collector = Collector::new(1.0);
    collector.set_typing(true);
    for key in [Raw::H, Raw::I, Raw::Enter, Raw::H, Raw::Escape, Raw::I] {
        collector.key(key, true);
        collector.key(key, false);
    }
    for expected in [&[Key::H, Key::I][..], &[Key::Enter], &[Key::H], &[Key::Escape], &[Key::I]] {
        let input = collector.take(0.0);
        assert_eq!(input.pressed().map(|change| change.key).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn repeats_are_distinguished_from_presses() {
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
fn losing_the_focus_releases_all_keys() {
    let mut collector = Collector::new(1.0);
    collector.sample(at(Vec2::ZERO));
    collector.key(Raw::LeftShift, true);
    collector.key(Raw::Up, true);
    assert!(collector.take(0.0).modifiers.shift);
    collector.sample(Sample { focused: false, ..at(Vec2::ZERO) });
    let input = collector.take(0.0);
    assert!(!input.focused && input.held.is_empty() && input.modifiers.is_none());
    assert_eq!(input.keys.len(), 1);
    assert!(input.egui.events.contains(&Event::WindowFocused(false)));
}

#[test]
fn a_paste_is_in_the_frame_of_its_key_or_in_a_later_one() {
    let (answer, answers) = std::sync::mpsc::channel();
    let answers = std::sync::Mutex::new(answers);
    let read = move || Ok(answers.lock().expect("no panic").recv().unwrap_or_default());
    let mut collector = Collector::new(1.0).pasting(Clipboard::reading(read));
    let paste = |collector: &mut Collector| {
        for (key, pressed) in [(Raw::LeftCtrl, true), (Raw::V, true), (Raw::V, false), (Raw::LeftCtrl, false)]
        {
            collector.key(key, pressed);
        }
        collector.take(0.0).egui.events
    };
    let pasted = |events: &[Event]| -> Vec<String> {
        let pasted = events.iter().filter_map(|event| match event {
            Event::Paste(text) => Some(text.clone()),
            _ => None,
        });
        pasted.collect()
    };
    let events = paste(&mut collector);
    assert!(events.contains(&Event::ModifiersChanged(Modifiers::NONE)), "the frame does not wait");
    assert!(pasted(&events).is_empty());
    answer.send("1\r\n2\0".to_owned()).expect("the read waits");
    let mut late = Vec::new();
    while late.is_empty() {
        late = pasted(&collector.take(0.0).egui.events);
    }
    assert_eq!(late, ["1\n2"]);
    // A click drops a text that has not arrived.
    paste(&mut collector);
    collector.pointer(press(Vec2::ZERO, true, Modifiers::NONE));
    answer.send("3".to_owned()).expect("the read waits");
    assert!(pasted(&collector.take(0.0).egui.events).is_empty());
}
