//! Compiles every file that a script needs, in the order of their dependencies.
//!
//! Imports are resolved before a script runs, so that a cycle is reported as a chain and no step reads a file.
//! Imported functions are compiled together with the script that calls them: sharing has no cost at run time.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, Module, Scope, Stmt};
use steerbox_core::diagnostics::{Fault, Fix, Severity, offset_of};

use super::parse::{self, Parsed};
use crate::budget::{MAX_FAULTS, MAX_IMPORTED, MAX_IMPORTS};
use crate::checks::{functions, imports as check, names, noted};
use crate::interpret::call::{self, Evaluation, Fallible};
use crate::interpret::constants::{self, Constants};
use crate::interpret::imported::{Import, Imported, Library};
use crate::interpret::{engine, explain};
use crate::reductions;
use crate::syntax::text::{Source, is_part_of_name};

/// The part of a file that can be parsed, before its role is checked.
pub(crate) struct Read {
    pub(crate) ast: AST,
    /// Its own imports.
    pub(crate) direct: Vec<Import>,
    pub(crate) constants: Constants,
    pub(crate) faults: Vec<Fault>,
    /// The number of syntax errors, which come first in `faults`.
    pub(crate) syntax: usize,
    /// Names that may be declared in the parts that could not be parsed.
    pub(crate) lost: BTreeSet<String>,
}

impl Read {
    /// Returns every fault once, in the order of the file; those of other files follow. If parts did not parse,
    /// warnings and faults of names that may be declared there are dropped.
    pub(crate) fn faults(self, source: Source<'_>) -> Vec<Fault> {
        let Self { mut faults, lost, syntax, .. } = self;
        let is_whole = syntax == 0;
        let is_lost = |fault: &Fault| {
            let at = offset_of(source.text, (fault.line, fault.column));
            let (head, rest) = source.text.split_at(at);
            let end = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
            lost.contains(&rest[..end]) && !head.ends_with('.')
        };
        let mut index = 0;
        faults.retain(|fault| {
            index += 1;
            let is_consequence = || fault.severity == Severity::Warning || is_lost(fault);
            index <= syntax || is_whole || fault.path != source.path || !is_consequence()
        });
        faults.sort_by_key(|fault| (fault.path != source.path, fault.line, fault.column));
        // A word at which the parser stops may also be reported as an unknown name.
        faults.dedup_by(|b, a| {
            let is_same_place = (a.line, a.column, &a.path) == (b.line, b.column, &b.path);
            is_same_place && (a == b || !is_whole)
        });
        faults.truncate(MAX_FAULTS);
        faults
    }
}

/// Reads a script, and compiles every file that it imports, directly or through others.
///
/// # Errors
/// With its syntax errors, if nothing can be parsed.
pub(crate) fn read(
    source: Source<'_>,
    library: &dyn Library,
) -> Result<(Read, Vec<Arc<Imported>>), Vec<Fault>> {
    let mut reader =
        ImportReader { library, chain: vec![stem(source.path).to_owned()], done: Vec::new(), bytes: 0 };
    let read = reader.read(source)?;
    Ok((read, reader.done))
}

/// Returns the fix of an import by the suggestion in its message.
fn renamed(source: Source<'_>, place: (usize, usize), message: &str) -> Option<Fix> {
    let (_, near) = message.split_once("did you mean \"")?;
    let near = near.split('"').next()?;
    let start = offset_of(source.text, place);
    let open = start + source.text[start..].find('"')? + 1;
    let end = open + source.text[open..].find('"')?;
    Some(Fix::replace(format!("write \"{near}\""), open..end, near))
}

struct ImportReader<'a> {
    library: &'a dyn Library,
    /// The files that are being compiled, each imported by the one before it.
    chain: Vec<String>,
    done: Vec<Arc<Imported>>,
    /// The size of all files so far.
    bytes: usize,
}

impl ImportReader<'_> {
    /// Reads a file after compiling the files that it imports. Other faults are part of the result.
    ///
    /// # Errors
    /// With its syntax errors, if nothing can be parsed.
    fn read(&mut self, source: Source<'_>) -> Result<Read, Vec<Fault>> {
        let Parsed { ast, mut faults, lost } = parse::parse(source)?;
        let syntax = faults.len();
        faults.extend(functions::shadowing(source, &ast));
        let (direct, mut others) = check::imports(source, &ast);
        faults.append(&mut others);
        for import in &direct {
            if !self.done.iter().any(|done| done.name == import.name)
                && let Err((message, mut of_file)) = self.import(&import.name)
            {
                let fix = renamed(source, import.place, &message);
                faults.push(source.fault(import.place, message).wide(6).fixed(fix));
                faults.append(&mut of_file);
            }
        }
        let mut constants = constants::evaluate(source, &ast, &self.done, &[]);
        faults.append(&mut constants.faults);
        noted(names::check_variables(source, &ast, &constants.scope), &mut faults);
        noted(check::check_names(source, &ast, &direct, &self.done), &mut faults);
        Ok(Read { ast, direct, constants, faults, syntax, lost })
    }

    /// Compiles an imported file, or returns a message and the faults of that file.
    fn import(&mut self, name: &str) -> Result<(), (String, Vec<Fault>)> {
        let alone = |message| (message, Vec::new());
        if let Some(at) = self.chain.iter().position(|known| known == name) {
            let chain = self.chain[at..].iter().map(String::as_str).chain([name]);
            let chain: Vec<_> = chain.map(|name| format!("{name}.rhai")).collect();
            return Err(alone(format!("files import each other: {}", chain.join(" → "))));
        }
        if !is_name(name) {
            let message = "import takes the name of a script of this project, without folders and extension";
            return Err(alone(format!("{message}, not \"{}\"", name.escape_debug())));
        }
        if self.done.len() == MAX_IMPORTS {
            return Err(alone(format!("a script needs at most {MAX_IMPORTS} others")));
        }
        let text = self.library.text(name).map_err(alone)?;
        self.bytes += text.len();
        if self.bytes > MAX_IMPORTED {
            let limit = MAX_IMPORTED / 1024;
            return Err(alone(format!("what it imports is longer than {limit} KiB together")));
        }
        self.chain.push(name.to_owned());
        let imported = self.compile(name, text);
        self.chain.pop();
        let imported = imported.map_err(|faults| {
            let first = faults.first().map_or(String::new(), Fault::summary);
            (format!("{name}.rhai cannot be imported: {first}"), faults)
        })?;
        self.done.push(Arc::new(imported));
        Ok(())
    }

    fn compile(&mut self, name: &str, text: Arc<str>) -> Result<Imported, Vec<Fault>> {
        let path = format!("{name}.rhai");
        let source = Source { path: &path, text: &text };
        let read = self.read(source)?;
        if !read.faults.is_empty() {
            return Err(read.faults(source));
        }
        let Read { ast: written, direct: imports, constants: Constants { scope, .. }, .. } = read;
        let reductions = reductions::of_file(&written);
        let marked = parse::parse_marked(source, &reductions)?;
        let ast = folded(&path, &written, &scope);
        let marked = marked.map(|marked| folded(&path, &marked, &scope));
        let charged = engine::charged(marked.as_ref().unwrap_or(&ast));
        let module = module(&charged, &scope, &self.done);
        let module = module.map_err(|error| vec![explain::runtime_fault(source, &error, (1, 1))])?;
        Ok(Imported {
            name: name.to_owned(),
            marks: names::marks(&ast),
            signals: names::signals(&ast),
            imports,
            module: module.into(),
            constants: constants::by_name(&scope),
            reductions,
            ast,
            path,
            text,
        })
    }
}

/// Rebuilds a compiled file with the functions in `written`; `done` are the files that it imports.
pub(crate) fn rebuilt(imported: &Imported, written: &AST, done: &[Arc<Imported>]) -> Fallible<Imported> {
    let mut scope = Scope::new();
    for (name, value) in &imported.constants {
        scope.push_constant_dynamic(name.as_str(), value.clone());
    }
    let ast = folded(&imported.path, written, &scope);
    let module = module(&ast, &scope, done)?;
    Ok(Imported { ast, module: module.into(), ..imported.clone() })
}

/// Folds the constants of a file into its functions.
fn folded(path: &str, written: &AST, scope: &Scope<'_>) -> AST {
    let mut ast = functions_and_imports(&engine::fold(written, scope));
    ast.set_source(path.to_owned());
    ast
}

/// Builds the module that other files import; `done` are the files that it imports.
fn module(ast: &AST, scope: &Scope<'_>, done: &[Arc<Imported>]) -> Fallible<Module> {
    let mut visible = Scope::new();
    for (name, _, value) in scope.iter_raw() {
        visible.push_constant_dynamic(name, value.clone());
        visible.set_alias(name, name);
    }
    let evaluate = || Module::eval_ast_as_new(visible, ast, engine::engine());
    call::evaluate(Evaluation::default(), done, evaluate).0
}

/// Removes all top-level statements but imports.
pub(crate) fn functions_and_imports(ast: &AST) -> AST {
    let statements = ast.statements().iter();
    let imports = statements.filter(|statement| matches!(statement, Stmt::Import(..)));
    AST::new(imports.cloned(), ast.shared_lib().clone())
}

/// Returns true for a valid script name, which cannot contain path separators.
fn is_name(name: &str) -> bool {
    let is_part = |c: char| is_part_of_name(c) || c == '-';
    !name.is_empty() && name.chars().all(is_part)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".rhai").unwrap_or(name)
}
