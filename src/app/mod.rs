//! The window: input, camera, panel and drawing. Reads the simulation; changes it only through its
//! commands.

mod action;
mod camera;
pub mod canvas;
pub mod egui_paint;
mod frame;
mod grip;
pub mod input;
mod keys;
mod log;
mod news;
mod panel;
mod picture;
mod pointer;
mod redraw;
mod session;
mod show;
mod shown;
mod stage;
mod stepper;
mod strays;
pub mod theme;
mod trails;
mod tuning;
mod visibility;
pub mod window;

pub use picture::picture;
pub use session::{EventSink, Options, Setting};
pub use show::open;
pub use stage::Stage;
