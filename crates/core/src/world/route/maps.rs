//! Grid maps: walls of unit boxes, rooms and corridors one cell wide, compared with a visibility graph.

use std::collections::BTreeSet;

use glam::{UVec3, Vec3};

use super::*;
use crate::world::{Edges, Obstacle, SearchCost, Solid, random, testing};

/// A map: a number of columns, and the cells of the walls.
struct Map {
    size: i32,
    walls: BTreeSet<(i32, i32)>,
    /// The corner of its first cell.
    offset: f32,
    /// Its obstacles.
    obstacles: Obstacles,
}

impl Map {
    /// Returns a map of rooms in a row of corridors, at an offset from the origin, by a seed.
    fn new(size: i32, offset: f32, seed: u64) -> Self {
        let part = |number: i32, axis| random::draw(seed, number as u64, 0, 0, axis);
        let mut walls: BTreeSet<_> = (0..size * size).map(|at| (at % size, at / size)).collect();
        let count = size / 3;
        let room = |number: i32| {
            let along = |axis| 1 + (part(number, axis) * (size - 7) as f32) as i32;
            let extent = |axis| 1 + (part(number, axis) * 5.0) as i32;
            ((along(0), along(1)), (extent(2), extent(3)))
        };
        for number in 0..count {
            let ((x, y), (width, height)) = room(number);
            for cell in 0..width * height {
                walls.remove(&(x + cell % width, y + cell / width));
            }
            // To the next room, first along x, then along y.
            let ((to_x, to_y), _) = room((number + 1) % count);
            for at in x.min(to_x)..=x.max(to_x) {
                walls.remove(&(at, y));
            }
            for at in y.min(to_y)..=y.max(to_y) {
                walls.remove(&(to_x, at));
            }
        }
        // Walls that touch at a corner leave no passage.
        for (x, y) in (0..size * size).map(|at| (at % size, at / size)) {
            let wall = |dx, dy| walls.contains(&(x + dx, y + dy));
            if wall(0, 0) && wall(1, 1) && !wall(1, 0) && !wall(0, 1) {
                walls.remove(&(x, y));
            }
        }
        for (x, y) in (0..size * size).map(|at| (at % size, at / size)) {
            let wall = |dx, dy| walls.contains(&(x + dx, y + dy));
            if wall(1, 0) && wall(0, 1) && !wall(0, 0) && !wall(1, 1) {
                walls.insert((x, y));
            }
        }
        let half = Vec3::new(0.5, 0.5, f32::INFINITY);
        let solid = |(x, y): &(i32, i32)| {
            let center = Vec3::new(*x as f32 + 0.5 + offset, *y as f32 + 0.5 + offset, 0.0);
            Obstacle::from(Solid::Box { center, half, angle: 0.0.into() })
        };
        let obstacles = walls.iter().map(solid).collect();
        Self { size, walls, offset, obstacles }
    }

    fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        self.obstacles.is_free(from, to, &mut SearchCost::default())
    }

    /// The centers of the free cells.
    fn cells(&self) -> Vec<Vec3> {
        let all = (0..self.size * self.size).map(|at| (at % self.size, at / self.size));
        let free = all.filter(|cell| !self.walls.contains(cell));
        free.map(|(x, y)| Vec3::new(x as f32, y as f32, 0.0) + Vec3::new(0.5, 0.5, 0.0) + self.shift())
            .collect()
    }

    fn shift(&self) -> Vec3 {
        Vec3::new(self.offset, self.offset, 0.0)
    }

    /// The corners of walls, slightly outside.
    fn turns(&self) -> Vec<Vec3> {
        let mut turns = Vec::new();
        for (x, y) in (0..=self.size * self.size + self.size).map(|at| (at % self.size, at / self.size)) {
            let beside = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
            let walls = beside.map(|(dx, dy)| self.walls.contains(&(x + dx, y + dy)));
            if let Some(wall) = walls.iter().position(|wall| *wall)
                && walls.iter().filter(|wall| **wall).count() == 1
            {
                let (dx, dy) = beside[wall];
                let outward = -Vec3::new(dx as f32 + 0.5, dy as f32 + 0.5, 0.0) * 2e-3;
                turns.push(Vec3::new(x as f32, y as f32, 0.0) + self.shift() + outward);
            }
        }
        turns
    }

    /// Returns the lengths of the shortest paths from points to a goal: Dijkstra's algorithm in the visibility graph.
    fn exact(&self, goal: Vec3, from: &[Vec3]) -> Vec<f32> {
        let turns = self.turns();
        let direct =
            |point: &Vec3| if self.is_free(*point, goal) { point.distance(goal) } else { f32::INFINITY };
        let mut lengths: Vec<f32> = turns.iter().map(direct).collect();
        let mut left: BTreeSet<usize> = (0..turns.len()).collect();
        while let Some(at) = left.iter().copied().min_by(|a, b| lengths[*a].total_cmp(&lengths[*b])) {
            left.remove(&at);
            for other in &left {
                let length = lengths[at] + turns[at].distance(turns[*other]);
                if length < lengths[*other] && self.is_free(turns[at], turns[*other]) {
                    lengths[*other] = length;
                }
            }
        }
        let around = |point: &Vec3| {
            let near = turns.iter().zip(&lengths).filter(|(turn, _)| self.is_free(*point, **turn));
            near.map(|(turn, rest)| rest + point.distance(*turn)).fold(direct(point), f32::lesser)
        };
        from.iter().map(around).collect()
    }

    fn field(&self, goal: Vec3, cell: f32) -> Flow {
        let size = self.size as f32 + 1.0;
        let arena = testing::plane(size, size, Edges::Open);
        let nodes = (arena.size() / cell).ceil().as_uvec3() + 1;
        Route { goal: Goal::Point(goal), nodes, margin: 0.0, speed: 1.0 }.field(&arena, &self.obstacles)
    }
}

const OFFSETS: [f32; 4] = [0.0, 0.25, 0.5, 0.75];

#[test]
fn on_grid_maps_every_cell_has_its_path_and_its_length() {
    for (seed, offset) in (1..).zip(OFFSETS) {
        let map = Map::new(26, offset, seed);
        let cells = map.cells();
        let inside = |at: usize, axis| 0.9 * random::draw(7, at as u64, 0, 0, axis) - 0.45;
        let points =
            cells.iter().enumerate().map(|(at, cell)| *cell + Vec3::new(inside(at, 0), inside(at, 1), 0.0));
        let points: Vec<Vec3> = points.collect();
        for goal in cells.iter().step_by(cells.len() / 2) {
            let exact = map.exact(*goal, &points);
            for cell in [1.0, 0.9, 0.5] {
                let field = map.field(*goal, cell);
                let (mut most, mut sum, mut count) = (0.0_f32, 0.0, 0.0);
                for (point, exact) in points.iter().zip(&exact) {
                    let length = field.distance_at(*point).unwrap();
                    assert_eq!(length.is_finite(), exact.is_finite(), "{seed} {cell}: {point} to {goal}");
                    if exact.is_finite() {
                        let error = (length - exact).abs() / cell;
                        (most, sum, count) = (most.greater(error), sum + error, count + 1.0);
                    }
                }
                assert!(
                    count > 50.0 && most < 1.0 && sum < 0.15 * count,
                    "{seed} {cell}: {most} {sum} {count}"
                );
            }
        }
    }
}

/// Moves a disc along the vectors of a field and out of obstacles, until it is near a goal; returns its last place.
fn walk(field: &Flow, obstacles: &Obstacles, radius: f32, (from, goal): (Vec3, Vec3), steps: usize) -> Vec3 {
    let mut at = from;
    for _ in 0..steps {
        at += 0.1 * field.at(at);
        for _ in 0..3 {
            for obstacle in obstacles.around(at, radius) {
                at += obstacle.normal(at) * (radius - obstacle.distance_to(at)).greater(0.0);
            }
        }
        if at.distance(goal) < 0.2 {
            break;
        }
    }
    at
}

#[test]
fn discs_arrive_on_grid_maps() {
    for (seed, offset) in (1..).zip(OFFSETS) {
        let map = Map::new(26, offset, seed);
        let cells = map.cells();
        for (cell, radius) in [(1.0, 0.4), (0.9, 0.1), (0.5, 0.4)] {
            for goal in cells.iter().step_by(cells.len() / 2) {
                let field = map.field(*goal, cell);
                for from in cells.iter().step_by(17) {
                    let length = field.distance_at(*from).unwrap();
                    if length.is_finite() {
                        let steps = 50 + (15.0 * length) as usize;
                        let end = walk(&field, &map.obstacles, radius, (*from, *goal), steps);
                        assert!(end.distance(*goal) < 0.2, "{seed} {cell} {radius}: {from} to {goal}: {end}");
                    }
                }
            }
        }
    }
}

fn wall(low: (f32, f32), high: (f32, f32)) -> Obstacle {
    let [low, high] = [low, high].map(|(x, y)| Vec3::new(x, y, 0.0));
    let half = ((high - low) * 0.5).with_z(f32::INFINITY);
    Solid::Box { center: (low + high) * 0.5, half, angle: 0.0.into() }.into()
}

#[test]
fn lanes_as_wide_as_a_cell_are_open_at_every_offset() {
    let arena = testing::plane(12.0, 5.0, Edges::Open);
    for offset in 0..20_u8 {
        let y = 1.0 + f32::from(offset) * 0.05;
        for (cell, width) in [(1.0, 1.0), (1.0, 0.6), (0.9, 0.9), (0.5, 0.5)] {
            let lane = vec![wall((0.0, -1.0), (12.0, y)), wall((0.0, y + width), (12.0, 6.0))].into();
            let middle = |x: f32| Vec3::new(x, y + 0.5 * width, 0.0);
            let nodes = (arena.size() / cell).ceil().as_uvec3() + 1;
            let goal = Goal::Point(middle(11.0));
            let field = Route { goal, nodes, margin: 0.0, speed: 1.0 }.field(&arena, &lane);
            let length = field.distance_at(middle(1.0)).unwrap();
            assert!((length - 10.0).abs() < 0.1 * cell, "{offset} {cell} {width}: {length}");
            let end = walk(&field, &lane, 0.4 * width, (middle(1.0), middle(11.0)), 120);
            assert!(end.distance(middle(11.0)) < 0.2, "{offset} {cell} {width}: {end}");
        }
    }
}

#[test]
fn lanes_at_an_angle_are_open() {
    let arena = testing::plane(30.0, 30.0, Edges::Open);
    for number in 0..36_u8 {
        let angle = f32::from(number) * 0.0873;
        let (sine, cosine) = libm::sincosf(angle);
        let (along, across) = (Vec3::new(cosine, sine, 0.0), Vec3::new(-sine, cosine, 0.0));
        let middle = arena.center() + 0.1 * f32::from(number % 10) * across;
        let side = |side: f32| {
            let half = Vec3::new(9.0, 4.0, f32::INFINITY);
            Obstacle::from(Solid::Box { center: middle + side * 4.5 * across, half, angle: angle.into() })
        };
        let goal = Goal::Point(middle + 12.0 * along);
        let nodes = UVec3::new(31, 31, 1);
        let route = Route { goal, nodes, margin: 0.0, speed: 1.0 };
        let field = route.field(&arena, &vec![side(-1.0), side(1.0)].into());
        let length = field.distance_at(middle - 12.0 * along).unwrap();
        assert!((length - 24.0).abs() < 0.5, "{number}: {length}");
    }
}

#[test]
fn paths_cross_the_edge_of_a_seamless_world() {
    let seamless = Arena { seamless: true, ..testing::plane(40.0, 30.0, Edges::Wrap) };
    let walls: Obstacles = vec![wall((19.0, -1.0), (21.0, 31.0)), wall((-1.0, -1.0), (1.0, 20.0))].into();
    let walls = walls.with_period(seamless.period());
    let (from, goal) = (Vec3::new(5.0, 10.0, 0.0), Vec3::new(35.0, 10.0, 0.0));
    let nodes = UVec3::new(41, 31, 1);
    let route = Route { goal: Goal::Point(goal), nodes, margin: 0.0, speed: 1.0 };
    let field = route.field(&seamless, &walls);
    // Around the wall at the edge.
    let exact = 2.0 * (4.0_f32 * 4.0 + 10.0 * 10.0).sqrt() + 2.0;
    let length = field.distance_at(from).unwrap();
    assert!((length - exact).abs() < 0.5, "{length}, {exact}");
}
