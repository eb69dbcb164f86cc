//! Learning a script: its parameters, what it remembers, which marks it names.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use rhai::{AST, ASTFlags, ASTNode, Dynamic, Expr, Map, Position, Scope, Stmt};

use super::call::{self, Lesson};
use super::explain;
use super::imports::{self, Import, Imported, Library, NoLibrary};
use super::param::{self, Param};
use super::{api, budget, engine};
use crate::diagnostics::{Fault, closest};
use crate::scene::ParamValue;
use crate::sim::{Failure, FieldKind, MemoryLayout};

/// How long the top level of a script may take.
const TOP_LEVEL_TIME: Duration = Duration::from_millis(40);

/// A script that compiles, whatever the values of its parameters.
#[derive(Debug)]
pub struct Script {
    /// The file as the user would name it.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The comment at its head: what it does.
    pub about: String,
    /// Its parameters, in the order of declaration.
    pub params: Vec<Param>,
    /// The marks that it names.
    pub marks: Vec<String>,
    /// What it remembers of each unit.
    pub memory: MemoryLayout,
    /// What it is for.
    pub role: Role,
    /// The files that it imports, and those that they import.
    pub imports: Vec<Arc<Imported>>,
    /// Line and column of its first import.
    pub(super) first_import: Option<(usize, usize)>,
    ast: AST,
}

/// What a script is for, by the function that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
    /// Neither: other scripts import it.
    Imported,
}

impl Role {
    /// The function that the role asks for.
    pub(super) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
            Self::Imported => "",
        }
    }
}

impl Script {
    /// Learns a script from its text.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn learn(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        Self::learn_with(path, text, &NoLibrary, false)
    }

    /// The same for a script that may import what `library` holds. One that is itself imported needs
    /// neither `steer` nor `flow`.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn learn_with(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        check_size(path, text)?;
        guarded(path, || Self::learned(path, text, library, is_imported))
    }

    fn learned(
        path: &str,
        text: &str,
        library: &dyn Library,
        is_imported: bool,
    ) -> Result<Self, Vec<Fault>> {
        let ast = compile(path, text, &engine::constants())?;
        let role = check_functions(path, text, &ast, is_imported)?;
        let (direct, imports) = imports::gather(path, text, &ast, library)?;
        let _hand = imports::at_hand(&imports);
        let (scope, lesson) = run_top_level(path, text, &ast, Lesson::of(&ast, &[]))?;
        check_variables(path, text, &ast, &scope, &direct)?;
        let params = params(&lesson);
        let memory = memory(path, text, &ast, &scope)?;
        let about = about(text);
        let mut marks = marks(&ast);
        marks.extend(imports.iter().flat_map(|imported| imported.marks.clone()));
        Ok(Self {
            imports,
            first_import: direct.first().map(|import| import.place),
            path: path.to_owned(),
            text: text.into(),
            about,
            params,
            marks,
            memory,
            role,
            ast,
        })
    }

    /// The declared parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Every constant of the script under the given values of its parameters.
    pub(super) fn constants(
        &self,
        values: &[(String, ParamValue)],
    ) -> Result<Scope<'static>, Vec<Fault>> {
        let _hand = imports::at_hand(&self.imports);
        let lesson = Lesson::of(&self.ast, values);
        Ok(run_top_level(&self.path, &self.text, &self.ast, lesson)?.0)
    }

    /// A failure of a call as a fault, in the file in which it happened.
    pub fn fault(&self, failure: &Failure) -> Fault {
        let imported = (self.imports.iter()).find(|file| failure.file.as_ref() == Some(&file.path));
        let (path, text) =
            imported.map_or((&self.path, &self.text), |file| (&file.path, &file.text));
        let mut fault = match failure.line {
            0 => Fault::of_file(path, &failure.message),
            line => Fault::at(path, text, (line, failure.column), &failure.message),
        };
        fault.help.clone_from(&failure.help);
        fault
    }

    /// Line and column of `fn steer`, or of `fn flow`.
    pub(super) fn entry(&self) -> (usize, usize) {
        let entry = format!("fn {}", self.role.entry());
        let at = self.text.find(&entry).unwrap_or(0);
        crate::diagnostics::line_and_column(&self.text, at)
    }
}

/// Refuses what is too long to be read.
pub(super) fn check_size(path: &str, text: &str) -> Result<(), Vec<Fault>> {
    if text.len() <= budget::MAX_SOURCE {
        return Ok(());
    }
    let limit = budget::MAX_SOURCE / 1024;
    let message = format!("the script is longer than {limit} KiB");
    Err(vec![Fault::of_file(path, message)])
}

/// Does what may meet a bug of ours, or of the engine.
pub(super) fn guarded<T>(
    path: &str,
    work: impl FnOnce() -> Result<T, Vec<Fault>>,
) -> Result<T, Vec<Fault>> {
    let done = std::panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err(vec![Fault::of_file(path, explain::OUR_FAULT)]))
}

/// Compiles with the constants of `scope` folded in.
pub(super) fn compile(path: &str, text: &str, scope: &Scope<'_>) -> Result<AST, Vec<Fault>> {
    let (result, late) = engine::parse(scope, text);
    if late {
        return Err(vec![
            Fault::of_file(path, "the script takes too long to read")
                .help("split it or shorten it"),
        ]);
    }
    result.map_err(|error| vec![explain::parse_error(path, text, &error)])
}

fn check_functions(
    path: &str,
    text: &str,
    ast: &AST,
    is_imported: bool,
) -> Result<Role, Vec<Fault>> {
    let mut faults = hijackers(path, text, ast);
    let mut role = None;
    let mut near: Option<(String, usize)> = None;
    for function in ast.iter_functions() {
        let (name, arity) = (function.name, function.params.len());
        if name == "steer" && arity == 2 {
            role = Some(Role::Behavior);
        } else if name == "flow" && arity == 2 {
            role = role.or(Some(Role::Flow));
        } else if name == "steer" || closest(name, ["steer"]).is_some() {
            near = Some((name.to_owned(), arity));
        }
    }
    match role.or(is_imported.then_some(Role::Imported)) {
        Some(role) if faults.is_empty() => Ok(role),
        Some(_) => Err(faults),
        None => {
            faults.push(missing_steer(path, text, near));
            Err(faults)
        }
    }
}

/// Refuses functions that would replace one of the API.
pub(super) fn check_names(path: &str, text: &str, ast: &AST) -> Result<(), Vec<Fault>> {
    let faults = hijackers(path, text, ast);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn hijackers(path: &str, text: &str, ast: &AST) -> Vec<Fault> {
    let taken = (ast.iter_functions())
        .filter(|function| api::is_taken(function.name, function.params.len()));
    let faults = taken.map(|function| {
        let name = function.name;
        let place = place_of_function(text, name);
        let message = format!("`fn {name}` would replace the built-in function of that name");
        Fault::at(path, text, place, message)
            .wide(name.len())
            .help("give it another name")
    });
    faults.collect()
}

fn missing_steer(path: &str, text: &str, near: Option<(String, usize)>) -> Fault {
    let form = "a behavior has a function `fn steer(me, world) { … }`";
    match near {
        Some((name, arity)) if name == "steer" => {
            let message = format!("`fn steer` takes 2 arguments, me and world, not {arity}");
            Fault::at(path, text, place_of_function(text, &name), message)
                .wide(5)
                .help(form)
        }
        Some((name, _)) => {
            let place = place_of_function(text, &name);
            let fault = Fault::at(
                path,
                text,
                place,
                format!("there is no `fn steer`, but a `fn {name}`"),
            );
            fault.wide(name.len()).help("did you mean `steer`?")
        }
        None => Fault::of_file(path, "there is no `fn steer`").help(form),
    }
}

fn place_of_function(text: &str, name: &str) -> (usize, usize) {
    let at = text.find(&format!("fn {name}")).map_or(0, |at| at + 3);
    crate::diagnostics::line_and_column(text, at)
}

impl Lesson {
    /// A lesson for the parameters of a script under values.
    pub(super) fn of(ast: &AST, values: &[(String, ParamValue)]) -> Self {
        Self {
            named: named_params(ast),
            values: values.to_vec(),
            ..Self::default()
        }
    }
}

/// The constants that the top level of a script declares, and what is learned from it.
pub(super) fn run_top_level(
    path: &str,
    text: &str,
    ast: &AST,
    lesson: Lesson,
) -> Result<(Scope<'static>, Lesson), Vec<Fault>> {
    let mut scope = engine::constants();
    let (result, lesson) = call::learn(lesson, || {
        let run = || engine::engine().run_ast_with_scope(&mut scope, ast);
        budget::within(TOP_LEVEL_TIME, run).0
    });
    result.map_err(|error| vec![explain::runtime_fault(path, text, &error, (1, 1))])?;
    Ok((scope, lesson))
}

/// Every name must be an argument, declared with `let`, or a constant at the top.
pub(super) fn check_variables(
    path: &str,
    text: &str,
    ast: &AST,
    scope: &Scope<'_>,
    imports: &[Import],
) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    ast.walk(&mut |nodes: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, None, position))) = nodes.last() {
            let name = variable.1.as_str();
            if !variable.2.is_empty() {
                let file = variable.2.root();
                if !imports.iter().any(|import| import.alias == file) {
                    let place = place(*position).unwrap_or((1, 1));
                    faults.push(Fault::at(path, text, place, explain::unknown_import(file)));
                }
            } else if variable.0.is_none() && !scope.contains(name) {
                let known = scope.iter_raw().map(|(name, ..)| name);
                faults.push(explain::unknown_name(path, text, name, *position, known));
            }
        }
        true
    });
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// Constants by name.
pub(super) fn constants(scope: &Scope<'_>) -> Vec<(String, Dynamic)> {
    let constants = scope.iter().filter(|(name, ..)| *name != "MEMORY");
    let constants = constants.map(|(name, _, value)| (name.to_owned(), value));
    constants.collect()
}

/// Where constants call `param`: line, column, name of the constant.
fn named_params(ast: &AST) -> Vec<(usize, usize, String)> {
    let named = ast.statements().iter().filter_map(|statement| {
        let Stmt::Var(declared, flags, _) = statement else {
            return None;
        };
        let Expr::FnCall(function, position) = &declared.1 else {
            return None;
        };
        let constant = flags.contains(ASTFlags::CONSTANT) && function.name == "param";
        let (line, column) = place(*position)?;
        constant.then(|| (line, column, declared.0.name.to_string()))
    });
    named.collect()
}

fn place(position: Position) -> Option<(usize, usize)> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

fn params(lesson: &Lesson) -> Vec<Param> {
    let params = lesson
        .declared
        .iter()
        .map(|(name, line, default, range)| Param {
            name: name.clone(),
            default: default.clone(),
            range: range.clone(),
            line: *line,
        });
    params.collect()
}

/// Where the top-level constant `name` is declared.
fn place_of_constant(ast: &AST, name: &str) -> (usize, usize) {
    let found = ast
        .statements()
        .iter()
        .find_map(|statement| match statement {
            Stmt::Var(declared, ..) if declared.0.name == name => place(declared.0.pos),
            _ => None,
        });
    found.unwrap_or((1, 1))
}

fn memory(
    path: &str,
    text: &str,
    ast: &AST,
    scope: &Scope<'_>,
) -> Result<MemoryLayout, Vec<Fault>> {
    let mut layout = MemoryLayout::default();
    let Some(declared) = scope.get_value::<Dynamic>("MEMORY") else {
        return Ok(layout);
    };
    let fault = |message: String| {
        let fault = Fault::at(path, text, place_of_constant(ast, "MEMORY"), message).wide(6);
        vec![fault.help("write `const MEMORY = #{ angle: 0.0, armed: false, goal: vec(0, 0) };`")]
    };
    let Some(fields) = declared.try_cast::<Map>() else {
        return Err(fault(
            "MEMORY must be a map of names and initial values".to_owned(),
        ));
    };
    for (name, value) in fields {
        let Some((kind, initial)) = initial(&value) else {
            return Err(fault(format!(
                "MEMORY.{name} must start as a number, a switch or a vector"
            )));
        };
        layout.push(name.as_str(), kind, initial);
    }
    Ok(layout)
}

fn initial(value: &Dynamic) -> Option<(FieldKind, [u32; 3])> {
    if let Ok(switch) = value.as_bool() {
        return Some((FieldKind::Switch, [u32::from(switch), 0, 0]));
    }
    if let Some(vector) = value.clone().try_cast::<glam::Vec3>() {
        return Some((FieldKind::Vector, crate::sim::vector_words(vector)));
    }
    param::number(value).map(|number| (FieldKind::Number, crate::sim::number_words(number)))
}

/// The words that `mark` and `has_mark` are called with.
pub(super) fn marks(ast: &AST) -> Vec<String> {
    let mut marks = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(
            ASTNode::Expr(Expr::MethodCall(call, _) | Expr::FnCall(call, _))
            | ASTNode::Stmt(Stmt::FnCall(call, _)),
        ) = path.last()
            && (call.name == "mark" || call.name == "has_mark")
        {
            let words = call.args.iter().filter_map(|argument| match argument {
                Expr::StringConstant(word, _) => Some(word.to_string()),
                _ => None,
            });
            marks.extend(words);
        }
        true
    });
    let mut known = std::collections::BTreeSet::new();
    marks.retain(|mark| known.insert(mark.clone()));
    marks
}

/// The comment that a file begins with.
fn about(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let words: Vec<_> = lines
        .map(|line| line.trim_start_matches(['/', '!']).trim())
        .collect();
    words.join("\n").trim().to_owned()
}
