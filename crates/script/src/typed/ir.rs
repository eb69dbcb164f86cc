//! The typed intermediate representation between the syntax tree and machine code. Every expression has a type,
//! every name is a local, and every operation is one of the processor or the host.

use super::super::api::{self, Tag};
use super::super::types::{Kind, Type};

/// A script's functions; the first is the entry point.
#[derive(Debug)]
pub(crate) struct Ir {
    pub(crate) functions: Vec<Function>,
    /// The string literals of the script; a text is an index into them.
    pub(crate) texts: Vec<String>,
}

/// A function, specialized to one set of argument types.
#[derive(Debug)]
pub(crate) struct Function {
    /// The path of the imported file that declares it; `None` for the script itself.
    pub(crate) file: Option<String>,
    /// The types of all locals; arguments come first.
    pub(crate) locals: Vec<Type>,
    pub(crate) arguments: usize,
    pub(crate) result: Type,
    pub(crate) body: Expr,
    /// The cost of a call, and the position of its charge: see [`crate::interpret::cost`].
    pub(crate) cost: i64,
    pub(crate) place: Place,
}

/// The index of a local.
pub(crate) type Local = usize;

/// Line and column in the script, from 1; (0, 0) without a position.
pub(crate) type Place = (usize, usize);

/// An operation with the type of its value.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) of: Type,
    pub(crate) op: Op,
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Nothing,
    Me,
    World,
    Number(f32),
    Integer(i64),
    Bool(bool),
    Text(usize),
    /// A constant vector.
    Vector([f32; 3]),
    Local(Local),
    Set(Local, Box<Expr>),
    /// Assigns one component of a vector local, 0 to 2.
    SetPart(Local, usize, Box<Expr>),
    /// Reads a field of the memory from a word offset on.
    LoadField(usize),
    /// Writes a field of the memory, or one component of it.
    StoreField {
        offset: usize,
        /// The name of the field in the script.
        name: String,
        value: Box<Expr>,
        place: Place,
    },
    /// Evaluates all expressions; the value is the last one's.
    Sequence(Vec<Expr>),
    If(Box<[Expr; 3]>),
    Loop(Box<Loop>),
    /// Exits the innermost loop, whose value is already set.
    Break,
    /// Continues with the next iteration of the innermost loop.
    Continue,
    Return(Box<Expr>),
    /// Tests for `()`.
    IsNothing(Box<Expr>),
    /// Converts an optional value that is known to be present.
    Unwrap(Box<Expr>),
    Call(Call),
    /// Calls a function of the script, by its index.
    Invoke {
        function: usize,
        arguments: Vec<Expr>,
    },
}

/// A call of a built-in function. It fails if an argument is `()`.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) to: Builtin,
    pub(crate) name: String,
    /// True for a property, so that messages show only the first argument.
    pub(crate) is_property: bool,
    /// The kinds of the arguments before conversion of integers to numbers.
    pub(crate) shown: Vec<Kind>,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) place: Place,
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) over: Over,
    pub(crate) body: Expr,
    /// The local that counts iterations, if the script declares one.
    pub(crate) counter: Option<Local>,
    /// The cost of an iteration, and the position of its charge.
    pub(crate) cost: i64,
    pub(crate) place: Place,
}

/// The values that a loop iterates over.
#[derive(Clone, Debug)]
pub(crate) enum Over {
    /// While a test before each iteration holds.
    While(Expr),
    /// While a test after each iteration holds.
    DoWhile(Expr),
    /// The integers of a range.
    Range(Local, Expr),
    /// Integers from the first toward the second, in steps of the third.
    Steps(Local, Box<[Expr; 3]>),
    /// Numbers from the first toward the second, in steps of the third.
    NumberSteps(Local, Box<[Expr; 3]>),
    /// The units of a list.
    Units(Local, Expr, Order),
    /// The obstacles of a list.
    Obstacles(Local, Expr),
}

/// The order of a loop over units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Nearest first.
    Nearest,
    /// Slot order of the grid, in a reduction: see [`crate::reductions`].
    Slots,
}

/// The target of a call. The type of its result is that of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
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
    /// A comparison of numbers without rounding tolerance.
    Exactly(Compare),
    /// Equality of all bits of two numbers, the sign of zero included.
    SameBits,
    /// Converts an integer to a number.
    ToNumber,
    /// Fails if a value is `()`.
    Expect,
    MakeRange,
    /// A row of the API, by its index in the table.
    Function(usize),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Expr {
    pub(crate) fn new(of: impl Into<Type>, op: Op) -> Self {
        Self { of: of.into(), op }
    }

    pub(crate) const NOTHING: Self = Self { of: Type::NOTHING, op: Op::Nothing };

    /// A value with a type only, for passes that tolerate faults and produce no code.
    pub(crate) fn unknown(of: impl Into<Type>) -> Self {
        Self::new(of, Op::Nothing)
    }

    /// Builds a sequence without needless nesting.
    pub(crate) fn sequence(mut parts: Vec<Self>) -> Self {
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

    /// Returns true for the list of all obstacles.
    pub(crate) fn is_all_obstacles(&self) -> bool {
        let Op::Call(Call { to: Builtin::Function(row), .. }) = self.op else {
            return false;
        };
        self.of.kind == Kind::Obstacles && api::functions()[row].has(Tag::AllObstacles)
    }

    /// Calls `visit` with each direct subexpression.
    pub(crate) fn each_part(&self, visit: &mut impl FnMut(&Self)) {
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
            | Op::Bool(_)
            | Op::Text(_)
            | Op::Vector(_)
            | Op::Local(_)
            | Op::LoadField(_)
            | Op::Break
            | Op::Continue => {}
        }
    }

    /// Returns true if `test` holds for this expression or any in it.
    pub(crate) fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        let mut any = test(self);
        self.each_part(&mut |part| any = any || part.any(test));
        any
    }

    /// As [`Expr::any`], without the parts of inner loops.
    pub(crate) fn any_outside_loops(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        let mut any = test(self);
        if !matches!(self.op, Op::Loop(_)) {
            self.each_part(&mut |part| any = any || part.any_outside_loops(test));
        }
        any
    }

    /// Returns true if it has no cost and no operands.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(
            self.op,
            Op::Nothing
                | Op::Me
                | Op::World
                | Op::Number(_)
                | Op::Integer(_)
                | Op::Bool(_)
                | Op::Text(_)
                | Op::Vector(_)
        )
    }
}

impl Over {
    /// The operands of a loop, evaluated before it or in each iteration.
    pub(crate) fn parts(&self) -> &[Expr] {
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
