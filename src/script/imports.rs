//! Every file that a script needs, compiled in the order in which they need each other.

use std::sync::Arc;

use rhai::{AST, Module, Scope, Stmt};

use super::budget::{MAX_IMPORTED, MAX_IMPORTS};
use super::call::{self, Evaluation, Fallible};
use super::checks::{functions, imports as check, names};
use super::imported::{Import, Imported, Library};
use super::text::{Source, is_part_of_name};
use super::{compile, constants, engine, explain, reductions};
use crate::diagnostics::Fault;

/// What stands in a script, and every file that it needs.
pub(super) type Gathered = (Vec<Import>, Vec<Arc<Imported>>);

/// Compiles every file that a script imports, and what those import. `ast` is what its text compiled to.
///
/// # Errors
/// With what is wrong with an import, and with the faults of the imported file at their own places.
pub(super) fn gather(source: Source<'_>, ast: &AST, library: &dyn Library) -> Result<Gathered, Vec<Fault>> {
    let mut gathering =
        Gathering { library, chain: vec![stem(source.path).to_owned()], done: Vec::new(), bytes: 0 };
    let direct = gathering.follow(source, ast)?;
    Ok((direct, gathering.done))
}

struct Gathering<'a> {
    library: &'a dyn Library,
    /// The files that are being compiled, each imported by the one before it.
    chain: Vec<String>,
    done: Vec<Arc<Imported>>,
    /// Of all files so far.
    bytes: usize,
}

impl Gathering<'_> {
    /// Compiles what a file imports; its imports.
    fn follow(&mut self, source: Source<'_>, ast: &AST) -> Result<Vec<Import>, Vec<Fault>> {
        let imports = check::imports(source, ast)?;
        for import in &imports {
            if !self.done.iter().any(|done| done.name == import.name) {
                self.import(&import.name).map_err(|(message, mut faults)| {
                    faults.insert(0, source.fault(import.place, message).wide(6));
                    faults
                })?;
            }
        }
        Ok(imports)
    }

    /// Compiles an imported file, or tells why not and what is wrong with it.
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
        let written = compile::parse(source)?;
        let hijackers = functions::hijackers(source, &written);
        if !hijackers.is_empty() {
            return Err(hijackers);
        }
        let imports = self.follow(source, &written)?;
        let (scope, _) = constants::evaluate(source, &written, &self.done, &[])?;
        names::check_variables(source, &written, &scope)?;
        check::check_names(source, &written, &imports, &self.done)?;
        let reductions = reductions::of_file(&written);
        let marked = compile::parse_marked(source, &reductions)?;
        let ast = folded(&path, &written, &scope);
        let marked = marked.map(|marked| folded(&path, &marked, &scope));
        let module = module(marked.as_ref().unwrap_or(&ast), &scope, &self.done);
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

/// A file that is compiled, with its functions as they stand in `written`; `done` are the files it needs.
pub(super) fn rebuilt(imported: &Imported, written: &AST, done: &[Arc<Imported>]) -> Fallible<Imported> {
    let mut scope = Scope::new();
    for (name, value) in &imported.constants {
        scope.push_constant_dynamic(name.as_str(), value.clone());
    }
    let ast = folded(&imported.path, written, &scope);
    let module = module(&ast, &scope, done)?;
    Ok(Imported {
        name: imported.name.clone(),
        path: imported.path.clone(),
        text: Arc::clone(&imported.text),
        marks: imported.marks.clone(),
        signals: imported.signals.clone(),
        imports: imported.imports.clone(),
        ast,
        module: module.into(),
        constants: imported.constants.clone(),
        reductions: imported.reductions.clone(),
    })
}

/// The functions of a file with its constants folded in.
fn folded(path: &str, written: &AST, scope: &Scope<'_>) -> AST {
    let mut ast = functions_and_imports(&engine::fold(written, scope));
    ast.set_source(path.to_owned());
    ast
}

/// Functions and constants of a file, as others see them; `done` are the files it needs.
fn module(ast: &AST, scope: &Scope<'_>, done: &[Arc<Imported>]) -> Fallible<Module> {
    let mut visible = Scope::new();
    for (name, _, value) in scope.iter_raw() {
        visible.push_constant_dynamic(name, value.clone());
        visible.set_alias(name, name);
    }
    let evaluate = || Module::eval_ast_as_new(visible, ast, engine::engine());
    call::evaluate(Evaluation::default(), done, evaluate).0
}

/// A file without what else it does at its top.
pub(super) fn functions_and_imports(ast: &AST) -> AST {
    let statements = ast.statements().iter();
    let imports = statements.filter(|statement| matches!(statement, Stmt::Import(..)));
    AST::new(imports.cloned(), ast.shared_lib().clone())
}

/// What can be the name of a script, and nothing that leads elsewhere.
fn is_name(name: &str) -> bool {
    let is_part = |c: char| is_part_of_name(c) || c == '-';
    !name.is_empty() && name.chars().all(is_part)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".rhai").unwrap_or(name)
}
