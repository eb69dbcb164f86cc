//! The typed form between the syntax tree and machine code: every expression has a type, every name is
//! a local, every operation one that the processor or the host can do.

use super::super::api::{self, Tag};
use super::super::types::{Kind, Type};

/// A script's functions, the first of them the entry.
#[derive(Debug)]
pub(in crate::script) struct Ir {
    pub(in crate::script) functions: Vec<Function>,
    /// The strings that stand in the script; a text is an index into them.
    pub(in crate::script) texts: Vec<String>,
}

/// A function for one set of argument types.
#[derive(Debug)]
pub(in crate::script) struct Function {
    /// The imported file that it stands in; none if it is the script itself.
    pub(in crate::script) file: Option<String>,
    /// The types of all locals; arguments come first.
    pub(in crate::script) locals: Vec<Type>,
    pub(in crate::script) arguments: usize,
    pub(in crate::script) result: Type,
    pub(in crate::script) body: Expr,
    /// The work of a call, and where it is charged: see [`crate::script::analysis::cost`].
    pub(in crate::script) cost: i64,
    pub(in crate::script) place: Place,
}

/// A local by its index.
pub(in crate::script) type Local = usize;

/// Line and column in the script, from 1; (0, 0) where the engine names none.
pub(in crate::script) type Place = (usize, usize);

/// A value and how to get it.
#[derive(Clone, Debug)]
pub(in crate::script) struct Expr {
    pub(in crate::script) of: Type,
    pub(in crate::script) op: Op,
}

/// How to get a value.
#[derive(Clone, Debug)]
pub(in crate::script) enum Op {
    Nothing,
    Me,
    World,
    Number(f32),
    Integer(i64),
    Switch(bool),
    Text(usize),
    /// Three numbers.
    Vector([f32; 3]),
    Local(Local),
    Set(Local, Box<Expr>),
    /// One component of a vector local, 0 to 2.
    SetPart(Local, usize, Box<Expr>),
    /// The words of a field of the memory from an offset on.
    LoadField(usize),
    /// Writes to a field of the memory, or to one component of it.
    StoreField {
        offset: usize,
        /// What the script calls the field.
        name: String,
        value: Box<Expr>,
        place: Place,
    },
    /// One after the other; the value is the last one's.
    Sequence(Vec<Expr>),
    If(Box<[Expr; 3]>),
    Loop(Box<Loop>),
    /// Leaves the innermost loop, after its value was set.
    Break,
    /// Goes on with the next round of the innermost loop.
    Continue,
    Return(Box<Expr>),
    /// Whether a value is `()`.
    IsNothing(Box<Expr>),
    /// A value that is known not to be `()`.
    Unwrap(Box<Expr>),
    Call(Call),
    /// A function of the script, by its index.
    Invoke {
        function: usize,
        arguments: Vec<Expr>,
    },
}

/// A call of something built in. Arguments that may be `()` fail the call when they are.
#[derive(Clone, Debug)]
pub(in crate::script) struct Call {
    pub(in crate::script) to: Builtin,
    pub(in crate::script) name: String,
    /// Whether it is written as a property, so that only the first argument is.
    pub(in crate::script) is_property: bool,
    /// What the script passes, before integers were made numbers.
    pub(in crate::script) shown: Vec<Kind>,
    pub(in crate::script) arguments: Vec<Expr>,
    pub(in crate::script) place: Place,
}

/// A loop.
#[derive(Clone, Debug)]
pub(in crate::script) struct Loop {
    pub(in crate::script) over: Over,
    pub(in crate::script) body: Expr,
    /// Counts the rounds, if the script asks for it.
    pub(in crate::script) counter: Option<Local>,
    /// The work of a round, and where it is charged.
    pub(in crate::script) round: i64,
    pub(in crate::script) place: Place,
}

/// What a loop goes through.
#[derive(Clone, Debug)]
pub(in crate::script) enum Over {
    /// While a test holds, which comes before each round.
    While(Expr),
    /// While a test holds, which comes after each round.
    DoWhile(Expr),
    /// The integers of a range.
    Range(Local, Expr),
    /// Integers from the first toward the second by the third.
    Steps(Local, Box<[Expr; 3]>),
    /// Numbers from the first toward the second by the third.
    NumberSteps(Local, Box<[Expr; 3]>),
    /// The units of a list.
    Units(Local, Expr, Order),
    /// The obstacles of a list.
    Obstacles(Local, Expr),
}

/// In which order a loop goes through units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Order {
    /// Nearest first.
    Nearest,
    /// That of the grid's slots, in a reduction: see [`crate::script::reductions`].
    Slots,
}

/// What a call calls. The type of its result is that of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Builtin {
    // Operators of two integers or two numbers.
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Negate,
    Not,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Compare(Compare),
    /// A comparison of numbers without leave for rounding.
    Exactly(Compare),
    /// Whether two numbers are the same to the last bit, the sign of zero included.
    SameBits,
    /// An integer as a number.
    ToNumber,
    /// A value that has to be there.
    Expect,
    MakeRange,
    /// A row of the API, by its place in the table.
    Function(usize),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Expr {
    pub(in crate::script) fn new(of: impl Into<Type>, op: Op) -> Self {
        Self { of: of.into(), op }
    }

    pub(in crate::script) const NOTHING: Self = Self { of: Type::NOTHING, op: Op::Nothing };

    /// A value of which only the type is known: where faults are tolerated, and nothing is compiled.
    pub(in crate::script) fn unknown(of: impl Into<Type>) -> Self {
        Self::new(of, Op::Nothing)
    }

    /// One after the other, without needless nesting.
    pub(in crate::script) fn sequence(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            0 => Self::NOTHING,
            1 => parts.remove(0),
            _ => {
                let never = parts.iter().any(|part| part.of.kind == Kind::Never);
                let last = parts.last().map_or(Type::NOTHING, |part| part.of);
                let of = if never { Type::NEVER } else { last };
                Self::new(of, Op::Sequence(parts))
            }
        }
    }

    /// Returns true if it is the list of all obstacles.
    pub(in crate::script) fn is_all_obstacles(&self) -> bool {
        let Op::Call(Call { to: Builtin::Function(row), .. }) = self.op else {
            return false;
        };
        self.of.kind == Kind::Obstacles && api::functions()[row].has(Tag::AllObstacles)
    }

    /// Calls `visit` with each expression that it is made of.
    pub(in crate::script) fn each_part(&self, visit: &mut impl FnMut(&Self)) {
        match &self.op {
            Op::Set(_, value)
            | Op::SetPart(_, _, value)
            | Op::StoreField { value, .. }
            | Op::Return(value)
            | Op::IsNothing(value)
            | Op::Unwrap(value) => visit(value),
            Op::Sequence(parts) | Op::Invoke { arguments: parts, .. } => parts.iter().for_each(visit),
            Op::If(parts) => parts.iter().for_each(visit),
            Op::Call(call) => call.arguments.iter().for_each(visit),
            Op::Loop(looping) => {
                looping.over.parts().iter().for_each(&mut *visit);
                visit(&looping.body);
            }
            Op::Nothing
            | Op::Me
            | Op::World
            | Op::Number(_)
            | Op::Integer(_)
            | Op::Switch(_)
            | Op::Text(_)
            | Op::Vector(_)
            | Op::Local(_)
            | Op::LoadField(_)
            | Op::Break
            | Op::Continue => {}
        }
    }

    /// Whether it takes no work and depends on nothing.
    pub(in crate::script) fn is_constant(&self) -> bool {
        matches!(
            self.op,
            Op::Nothing
                | Op::Me
                | Op::World
                | Op::Number(_)
                | Op::Integer(_)
                | Op::Switch(_)
                | Op::Text(_)
                | Op::Vector(_)
        )
    }
}

impl Over {
    /// What is evaluated for a loop: before its rounds, or for each.
    pub(in crate::script) fn parts(&self) -> &[Expr] {
        match self {
            Self::While(part)
            | Self::DoWhile(part)
            | Self::Range(_, part)
            | Self::Units(_, part, _)
            | Self::Obstacles(_, part) => std::slice::from_ref(part),
            Self::Steps(_, parts) | Self::NumberSteps(_, parts) => &**parts,
        }
    }
}
