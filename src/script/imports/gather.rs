//! Gathering: every file that a script needs, compiled in the order in which they need each other.

use std::sync::Arc;
use std::time::Duration;

use rhai::{AST, Module, Scope};

use super::{Import, Imported, Library, at_hand, check_names, imports, imports_only};
use crate::diagnostics::Fault;
use crate::script::call::{self, Lesson};
use crate::script::learn::{functions, names, top_level};
use crate::script::{budget, compile, engine, explain, tree};

/// Most files that one script may need.
pub(in crate::script) const MOST: usize = 16;
/// How long compiling all of them may take.
const TIME: Duration = Duration::from_millis(80);

/// What stands in a script, and every file that it needs.
pub(in crate::script) type NeighborList = (Vec<Import>, Vec<Arc<Imported>>);

/// Compiles every file that `path` imports, and what those import. `ast` is what `text` compiled to.
///
/// # Errors
/// With what is wrong with an import, and with the faults of the imported file at their own places.
pub(in crate::script) fn gather(
    path: &str,
    text: &str,
    ast: &AST,
    library: &dyn Library,
) -> Result<NeighborList, Vec<Fault>> {
    let mut gathering = Gathering {
        library,
        chain: vec![stem(path).to_owned()],
        done: Vec::new(),
    };
    let (direct, late) = budget::within(TIME, || gathering.follow(path, text, ast));
    match direct {
        Err(_) if late => Err(vec![Fault::of_file(
            path,
            "what it imports takes too long to read",
        )]),
        direct => Ok((direct?, gathering.done)),
    }
}

struct Gathering<'a> {
    library: &'a dyn Library,
    /// The files that are being compiled, each imported by the one before it.
    chain: Vec<String>,
    done: Vec<Arc<Imported>>,
}

impl Gathering<'_> {
    /// Compiles what a file imports; its imports.
    fn follow(&mut self, path: &str, text: &str, ast: &AST) -> Result<Vec<Import>, Vec<Fault>> {
        let imports = imports(path, text, ast)?;
        for import in &imports {
            if !self.done.iter().any(|done| done.name == import.name) {
                self.import(import).map_err(|(message, mut faults)| {
                    let fault = Fault::at(path, text, import.place, message).wide(6);
                    faults.insert(0, fault);
                    faults
                })?;
            }
        }
        Ok(imports)
    }

    /// Compiles an imported file, or tells why not and what is wrong with it.
    fn import(&mut self, import: &Import) -> Result<(), (String, Vec<Fault>)> {
        let name = &import.name;
        let alone = |message| (message, Vec::new());
        if let Some(at) = self.chain.iter().position(|known| known == name) {
            let chain = self.chain[at..].iter().chain([name]);
            let chain: Vec<_> = chain.map(|name| format!("{name}.rhai")).collect();
            return Err(alone(format!(
                "files import each other: {}",
                chain.join(" → ")
            )));
        }
        if !is_name(name) {
            let message =
                "import takes the name of a script of this project, without folders and extension";
            return Err(alone(format!("{message}, not \"{}\"", name.escape_debug())));
        }
        if self.done.len() == MOST {
            return Err(alone(format!("a script needs at most {MOST} others")));
        }
        let text = self.library.text(name).map_err(alone)?;
        self.chain.push(name.clone());
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
        compile::check_size(&path, &text)?;
        let ast = compile::compile(&path, &text, &engine::constants())?;
        let hijackers = functions::hijackers(&path, &text, &ast);
        if !hijackers.is_empty() {
            return Err(hijackers);
        }
        let imports = self.follow(&path, &text, &ast)?;
        let _hand = at_hand(&self.done);
        let lesson = Lesson::of(&ast, &[]);
        let scope = top_level::run_top_level(&path, &text, &ast, lesson)?.0;
        names::check_variables(&path, &text, &ast, &scope)?;
        check_names(&path, &text, &ast, &imports, &self.done)?;
        let mut ast = compile::compile(&path, &text, &scope)?;
        ast.set_source(path.clone());
        let marks = names::marks(&ast);
        let module = call::learn(Lesson::default(), || module(&ast, &scope)).0;
        let module =
            module.map_err(|error| vec![explain::runtime_fault(&path, &text, &error, (1, 1))])?;
        Ok(Imported {
            name: name.to_owned(),
            module: module.into(),
            functions: (tree::functions(&ast).into_iter())
                .map(|function| (function.name.to_string(), function.params.len()))
                .collect(),
            constants: top_level::constants(&scope),
            path,
            text,
            marks,
            asks_target: names::asks_target(&ast),
        })
    }
}

/// Functions and constants of a file, as others see them.
fn module(ast: &AST, scope: &Scope<'_>) -> call::Fallible<Module> {
    let mut visible = Scope::new();
    for (name, _, value) in scope.iter_raw() {
        visible.push_constant_dynamic(name, value.clone());
        visible.set_alias(name, name);
    }
    Module::eval_ast_as_new(visible, &imports_only(ast), engine::engine())
}

/// What can be the name of a script, and nothing that leads elsewhere.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".rhai").unwrap_or(name)
}
