//! Tests of tables of starts.

use glam::{DVec3, Vec3};

use super::*;

const PLANE: Space = Space { is_plane: true, origin: DVec3::ZERO, period: None };

fn read(text: &str, space: Space) -> Result<Frame, FrameFault> {
    super::read(text, space, Moment::default())
}

fn starts(text: &str) -> Vec<([f32; 3], [f32; 3], [f32; 3])> {
    let frame = read(text, Space { is_plane: !text.contains('z'), ..PLANE }).unwrap();
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
    let used = &text[..read(text, PLANE).unwrap().used];
    assert!(used.ends_with(",7,8") && read(used, PLANE) == read(text, PLANE), "{used}");
    assert_eq!(read("x,y\n1,2\n3,4\n", PLANE).unwrap().used, 12);
}

#[test]
fn faults_have_positions_and_remedies() {
    for (text, at, part) in [
        ("", (1, 1), "empty"),
        ("a,b\n1,2", (1, 1), "no columns x and y"),
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
    }
}

/// Positions and velocities.
fn states(text: &str, moment: Moment) -> Vec<([f32; 2], Option<[f32; 2]>)> {
    let flat = |vector: Vec3| [vector.x, vector.y];
    let frame = super::read(text, PLANE, moment).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    frame.starts.iter().map(|start| (flat(start.position), start.velocity.map(flat))).collect()
}

#[test]
fn one_frame_of_tables_of_tracking_programs_starts_with_the_velocities_of_the_next() {
    let expected = [([10.0, 10.0], Some([4.0, 0.0])), ([20.0, 10.0], Some([0.0, -2.0]))];
    let rate = Moment { rate: Some(4.0), ..Moment::default() };
    for text in [
        "id,frame,x,y\n0,1,10,10\n1,1,20,10\n0,2,11,10\n1,2,20,9.5\n",
        // trackpy, with the index of pandas.
        ",y,x,mass,frame,particle\n0,10,10,7,1,0\n1,10,20,7,1,1\n2,10,11,7,2,0\n3,9.5,20,7,2,1\n",
        // TrackMate: three lines below the names, and spots without a track.
        "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME\n\
         Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame\nLabel,Spot ID,Track ID,Quality,X,Y,Z,T,Frame\n,,,,(pixel),(pixel),(pixel),(sec),\n\
         ID7,7,0,1,10,10,0,0,0\nID8,8,1,1,20,10,0,0,0\nID9,9,None,1,50,50,0,0,0\nID4,4,0,1,11,10,0,0.25,1\nID5,5,1,1,20,9.5,0,0.25,1\n",
        // PedPy and JuPedSim: names in a comment, separated by white space.
        "# framerate: 4\n# id frame x/m y/m z/m\n1\t0\t10\t10\t0\n2\t0\t20\t10\t0\n1\t1\t11\t10\t0\n2\t1\t20\t9.5\t0\n",
        "#ID FR X Y Z\n1  0 10  10 0\n2  0 20 10 0\n1  1 11 10 0\n2 1 20 9.5 0\n",
        // A German spreadsheet; R.
        "id;frame;x;y\n1;0;10,0;10\n2;0;20;10\n1;1;11;10\n2;1;20;9,5\n",
        "id\tframe\tx\ty\n1\t0\tNA\tNA\n1\t1\t10\t10\n2\t1\t20\t10\n1\t2\t11\t10\n2\t2\t20\t9.5\n",
        // The wide form, with the time of a row, and with frames.
        "seconds,x1,y1,x2,y2\n0,10,NA,20,\n1,10,10,20,10\n1.25,11,10,20,9.5\n",
        "frame,x1,y1,x2,y2\n7,10,10,20,10\n8,11,10,20,9.5\n",
        // DeepLabCut: a unit per body part.
        "scorer,net,net,net,net,net,net\nbodyparts,nose,nose,nose,tail,tail,tail\ncoords,x,y,likelihood,x,y,likelihood\n\
         0,10,10,0.9,20,10,0.9\n1,11,10,0.9,20,9.5,0.9\n",
    ] {
        assert_eq!(states(text, rate), expected, "{text}");
    }
}

#[test]
fn the_first_frame_with_all_units_or_the_chosen_one_is_used() {
    let text = "id,frame,x,y\n1,5,1,1\n1,6,2,1\n2,6,9,9\n1,7,3,1\n2,7,9,8\n2,8,9,7\n";
    let frame = read(text, PLANE).unwrap();
    assert_eq!((frame.starts.len(), frame.lines), (2, vec![3, 4]));
    let remarks: Vec<_> = frame.remarks.iter().map(|(message, _)| &**message).collect();
    let at_rest = "units start at rest, since the table has no column of seconds";
    assert_eq!(remarks, [at_rest, "units start at frame 6, the first one with all 2 units"]);
    // Without a duration, units face their way.
    assert_eq!((frame.starts[1].heading, frame.starts[1].velocity), (Some(Vec3::NEG_Y), None));
    assert_eq!(frame.params[0].values, [Some(1.0), Some(2.0)]);
    let at = |frame| super::read(text, PLANE, Moment { frame: Some(frame), rate: Some(10.0) });
    let last = at(7.0).unwrap();
    assert_eq!((last.starts[0].velocity, last.starts[1].velocity), (None, Some(Vec3::NEG_Y * 10.0)));
    assert_eq!(last.remarks, []);
    assert!(at(9.0).unwrap_err().help.contains("from 5 to 8"));
    let fault = read("id,frame,x,y\n1,5,1,1\n2,6,1,1\n3,6,2,2\n", PLANE).unwrap_err();
    assert!(
        fault.message.contains("no frame has all 3 units") && fault.help.contains("frame: 6"),
        "{fault:?}"
    );
    let fault = read("id,frame,x,y\n1,5,1,1\n1,5,2,1\n", PLANE).unwrap_err();
    assert!(fault.at == (3, 1) && fault.message.contains("two rows in frame 5"), "{fault:?}");
    let wide = "frame,x1,y1,x2,y2\n1,1,1,,\n2,1,1,2,2\n3,,,2,3\n4,1,1,2,4\n";
    assert!(read(wide, PLANE).unwrap().remarks.iter().any(|(message, _)| message.contains("line 3")));
    assert_eq!(states(wide, Moment { frame: Some(3.0), rate: Some(2.0) }), [([2.0, 3.0], Some([0.0, 2.0]))]);
}

#[test]
fn velocities_use_the_rate_of_a_comment_and_the_shortest_way_across_edges_that_wrap() {
    for comment in ["# framerate: 25.00", "#framerate: 25 fps", "# Frame rate = 25"] {
        let text = format!("{comment}\n# id frame x y\n1 1 99 50\n2 1 10 2\n1 2 1 50\n2 2 10 98\n");
        let space = Space { period: Some(glam::Vec2::splat(100.0)), ..PLANE };
        let frame = read(&text, space).unwrap();
        let velocities: Vec<_> = frame.starts.iter().map(|start| start.velocity).collect();
        assert_eq!(velocities, [Some(Vec3::X * 50.0), Some(Vec3::NEG_Y * 100.0)], "{comment}");
        assert_eq!(frame.remarks, []);
    }
}

#[test]
fn a_table_without_frames_rejects_a_choice_of_frames() {
    for (moment, option) in [
        (Moment { frame: Some(3.0), rate: None }, "`frame`"),
        (Moment { frame: None, rate: Some(25.0) }, "`fps`"),
    ] {
        let fault = super::read("x,y\n1,2\n", PLANE, moment).unwrap_err();
        assert!(fault.message.contains(option) && fault.help.contains(option), "{fault:?}");
    }
}
