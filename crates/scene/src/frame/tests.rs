//! Tests of tables of starts.

use glam::{DVec3, Vec3};

use super::*;

const PLANE: (bool, DVec3) = (true, DVec3::ZERO);

fn starts(text: &str) -> Vec<([f32; 3], [f32; 3], [f32; 3])> {
    let frame = read(text, (!text.contains('z'), DVec3::ZERO)).unwrap();
    let of = |vector: Option<Vec3>| vector.unwrap_or(Vec3::NAN).to_array();
    frame
        .starts
        .iter()
        .map(|start| (start.position.to_array(), of(start.heading), of(start.velocity)))
        .collect()
}

#[test]
fn rows_have_positions_headings_velocities_and_parameters() {
    let text = "id,x,y,heading,speed,GAIN\n1,2,3.5,90,4,0.25\n\n2, 7 ,-8,180,0,true\n";
    let expected =
        [([2.0, 3.5, 0.0], [0.0, 1.0, 0.0], [0.0, 4.0, 0.0]), ([7.0, -8.0, 0.0], [-1.0, 0.0, 0.0], [0.0; 3])];
    assert_eq!(starts(text), expected);
    let frame = read(text, PLANE).unwrap();
    assert_eq!(frame.lines, [2, 4]);
    let params: Vec<_> = frame.params.iter().map(|it| (&*it.name, it.column, it.values.clone())).collect();
    assert_eq!(params, [("id", 1, vec![Some(1.0), Some(2.0)]), ("GAIN", 22, vec![Some(0.25), Some(1.0)])]);
    let text = "\"x\",y,z,vx,vy,vz,hx,hy,hz\r\n1,2,3,4,5,6,0,0,2\r\n";
    assert_eq!(starts(text), [([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], [4.0, 5.0, 6.0])]);
}

#[test]
fn the_first_row_without_gaps_of_the_wide_form_is_used() {
    let text = "seconds,x1,y1,x2,y2,vx1,vy1,vx2,vy2\n0,nan,nan,3,4,0,0,0,0\n0.5,1,2,3,4,5,6,7,8\n1,0,0,0,0,0,0,0,0\n";
    let found: Vec<_> =
        read(text, PLANE).unwrap().starts.iter().map(|it| (it.position, it.velocity)).collect();
    let vector = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let expected = [(vector(1.0, 2.0), Some(vector(5.0, 6.0))), (vector(3.0, 4.0), Some(vector(7.0, 8.0)))];
    assert_eq!(found, expected);
    let used = used_part(text);
    assert!(used.ends_with(",7,8") && read(used, PLANE) == read(text, PLANE), "{used}");
    assert_eq!(used_part("x,y\n1,2\n3,4\n"), "x,y\n1,2\n3,4\n");
}

#[test]
fn faults_have_positions_and_remedies() {
    for (text, at, part) in [
        ("", (1, 1), "empty"),
        ("a,b\n1,2", (1, 1), "no columns x and y"),
        ("x;y\n1;2", (1, 1), "not separated by commas"),
        ("x,y\n", (1, 1), "no units"),
        ("x,GAIN\n1,2", (1, 1), "no column y"),
        ("x,y,x\n1,2,3", (1, 5), "two columns are called x"),
        ("x,y\n1,2\n1,abc", (3, 3), "`y` must be a number, not \"abc\""),
        ("x,y\n1,", (2, 3), "the unit has no y"),
        ("x,y\n1,nan", (2, 3), "the unit has no y"),
        ("x,y\n1,inf", (2, 3), "`y` must be within"),
        ("x,y\n1,2,3", (2, 5), "3 cells, the first line has 2"),
        ("x,y\n1", (2, 2), "1 cells, the first line has 2"),
        ("x,y,z\n1,2,3", (1, 5), "the world is a plane"),
        ("x,y,vx\n1,2,3", (1, 1), "no column vy"),
        ("x,y,heading,hx,hy\n1,2,3,4,5", (1, 5), "in addition to hx"),
        ("x,y,speed\n1,2,3", (1, 1), "no column heading"),
        ("x,y,hx,hy\n1,2,0,0", (2, 5), "no direction"),
        ("time,x1,y1\n0,nan,1", (2, 3), "unit 1 has none"),
        ("time,x1,y1", (1, 1), "no row below"),
        ("x1,y1,x1\n1,2,3", (1, 7), "two columns are called x1"),
        ("x1,x2,y2\n1,2,3", (1, 1), "no column y1"),
    ] {
        let fault = read(text, PLANE).expect_err(text);
        assert!(fault.at == at && fault.message.contains(part), "{text:?}: {fault:?}");
        assert!(!fault.help.is_empty());
        let _ = used_part(text);
    }
}
