//! Learning a script: its parameters, what it remembers, which marks it names.

use std::sync::Arc;

use rhai::{AST, ASTFlags, ASTNode, Dynamic, Expr, Map, Position, Scope, Stmt};

use super::call::{self, Lesson};
use super::explain;
use super::param::{self, Param};
use super::reloaded::RELOADED;
use super::review::{self, Known};
use super::{api, engine, syntax, text as source};
use crate::diagnostics::{Fault, Severity, closest};
use crate::scene::ParamValue;
use crate::sim::{Failure, FieldKind, MemoryLayout};

/// Faults told of one script: looking for what was meant takes time.
pub(super) const MOST_FAULTS: usize = 20;

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
    /// Line and column of `fn reloaded`, if there is one.
    pub(super) reloaded: Option<(usize, usize)>,
    /// What works, but hardly as it was meant.
    pub warnings: Vec<Fault>,
    ast: AST,
}

/// What a script is for, by the function that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
}

impl Role {
    /// The function that the role asks for.
    pub(super) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
        }
    }
}

impl Script {
    /// Learns a script from its text.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn learn(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        if text.len() > engine::MAX_SOURCE {
            let limit = engine::MAX_SOURCE / 1024;
            return Err(vec![Fault::of_file(
                path,
                format!("the script is longer than {limit} KiB"),
            )]);
        }
        let ast = compile(path, text, &engine::constants())?;
        if let Some(fault) = syntax::open_comment(path, text) {
            return Err(vec![fault]);
        }
        let role = check_functions(path, text, &ast)?;
        let (scope, lesson) = run_top_level(path, text, &ast, &[])?;
        check_variables(path, text, &ast, &scope)?;
        let params = params(&lesson);
        let memory = memory(path, text, &ast, &scope)?;
        let reloaded = check_reloaded(path, text, &ast, &memory)?;
        let about = about(text);
        let marks = marks(&ast);
        Ok(Self {
            path: path.to_owned(),
            text: text.into(),
            about,
            params,
            marks,
            memory,
            role,
            reloaded,
            warnings: Vec::new(),
            ast,
        })
    }

    /// Learns a script and reads it through: what would fail wherever it is reached is a fault, too.
    ///
    /// # Errors
    /// With every fault that can be told; at least one.
    pub fn reviewed(path: &str, text: &str) -> Result<Self, Vec<Fault>> {
        let mut script = Self::learn(path, text)?;
        let scope = script.constants(&[])?;
        let found = review::review(Known {
            path,
            text,
            scope: &scope,
            params: &script.params,
            memory: &script.memory,
        });
        if found.iter().any(|fault| fault.severity == Severity::Error) {
            return Err(found);
        }
        script.warnings = found;
        Ok(script)
    }

    /// The declared parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// A failure of one of its calls as a fault in its text.
    pub fn fault(&self, failure: &Failure) -> Fault {
        if failure.line == 0 {
            let fault = Fault::of_file(&self.path, &failure.message);
            return fault.maybe_help(failure.help.clone());
        }
        let place = (failure.line, failure.column);
        let fault = Fault::at(&self.path, &self.text, place, &failure.message);
        fault.maybe_help(failure.help.clone())
    }

    /// Every constant of the script under the given values of its parameters.
    pub(super) fn constants(
        &self,
        values: &[(String, ParamValue)],
    ) -> Result<Scope<'static>, Vec<Fault>> {
        Ok(run_top_level(&self.path, &self.text, &self.ast, values)?.0)
    }

    /// Line and column of the name in `fn steer`, or in `fn flow`.
    pub(super) fn entry(&self) -> (usize, usize) {
        place_of_function(&self.text, self.role.entry())
    }
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
    result.map_err(|error| vec![syntax::fault(path, text, &error)])
}

fn check_functions(path: &str, text: &str, ast: &AST) -> Result<Role, Vec<Fault>> {
    let mut faults = Vec::new();
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
        } else if api::is_taken(name, arity) {
            let place = place_of_function(text, name);
            let message = format!("`fn {name}` would replace the built-in function of that name");
            faults.push(
                Fault::at(path, text, place, message)
                    .wide(name.len())
                    .help("give it another name"),
            );
        }
    }
    match role {
        Some(role) if faults.is_empty() => Ok(role),
        Some(_) => Err(faults),
        None => {
            faults.push(missing_steer(path, text, near));
            Err(faults)
        }
    }
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

/// Where `fn reloaded` is. It must take one argument, and there must be something to write to.
fn check_reloaded(
    path: &str,
    text: &str,
    ast: &AST,
    memory: &MemoryLayout,
) -> Result<Option<(usize, usize)>, Vec<Fault>> {
    let Some(function) = ast.iter_functions().find(|it| it.name == RELOADED) else {
        return Ok(None);
    };
    let place = place_of_function(text, RELOADED);
    let fault = |message: String, help: &str| {
        let fault = Fault::at(path, text, place, message).wide(RELOADED.len());
        vec![fault.help(help)]
    };
    match function.params.len() {
        1 if memory.words() == 0 => Err(fault(
            "`fn reloaded` has no memory to write to".to_owned(),
            "declare what is remembered: `const MEMORY = #{ angle: 0.0 };`",
        )),
        1 => Ok(Some(place)),
        count => Err(fault(
            format!("`fn reloaded` takes 1 argument, what was remembered before, not {count}"),
            "write `fn reloaded(old) { this.angle = old.heading; }`",
        )),
    }
}

fn place_of_function(text: &str, name: &str) -> (usize, usize) {
    let at = source::function(text, name).unwrap_or(0);
    crate::diagnostics::line_and_column(text, at)
}

fn run_top_level(
    path: &str,
    text: &str,
    ast: &AST,
    values: &[(String, ParamValue)],
) -> Result<(Scope<'static>, Lesson), Vec<Fault>> {
    let lesson = Lesson {
        named: named_params(ast),
        values: values.to_vec(),
        ..Lesson::default()
    };
    let mut scope = engine::constants();
    let (result, lesson) = call::learn(lesson, || {
        engine::engine().run_ast_with_scope(&mut scope, ast)
    });
    result.map_err(|error| vec![explain::runtime_fault(path, text, &error, (1, 1))])?;
    Ok((scope, lesson))
}

/// Every name must be an argument, declared with `let`, or a constant at the top.
fn check_variables(path: &str, text: &str, ast: &AST, scope: &Scope<'_>) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    let locals = declared(ast);
    ast.walk(&mut |nodes: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, None, position))) = nodes.last() {
            let name = variable.1.as_str();
            let is_enough = faults.len() >= MOST_FAULTS;
            if variable.0.is_none() && !scope.contains(name) && !is_enough {
                let known = scope.iter_raw().map(|(name, ..)| name);
                let known = known.chain(locals.iter().map(String::as_str));
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

/// Every name that is declared anywhere in a script's functions.
fn declared(ast: &AST) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    ast.walk(&mut |nodes: &[ASTNode<'_>]| {
        match nodes.last() {
            Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => names.push(declared.0.name.to_string()),
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => names.push(parts.0.name.to_string()),
            _ => {}
        }
        true
    });
    let parameters = ast.iter_functions().flat_map(|function| function.params);
    names.extend(parameters.map(str::to_owned));
    names
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
fn marks(ast: &AST) -> Vec<String> {
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
