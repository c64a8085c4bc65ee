//! The pickles of torch's checkpoints, read as data: no class is looked up, and no function called.
//!
//! Objects are kept once, in a list, and refer to each other by their places in it. A pickle therefore takes memory in proportion
//! to its length, however often it repeats an object or nests one in another.

use rustc_hash::FxHashMap;

use crate::error::truncated;

/// The place of an object.
pub type Place = usize;

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// A list, or a tuple.
    List(Vec<Place>),
    Dict(Vec<(Place, Place)>),
    /// A class or a function, with its module.
    Name(String),
    /// A function, and its arguments.
    Call(Place, Place),
    /// What stands outside the pickle.
    Outside(Place),
}

/// The modules whose names occur in checkpoints. Nothing of them is used but the names of tensors' types.
const MODULES: [&str; 6] = ["torch", "collections", "pytorch_lightning", "lightning", "comet", "argparse"];

/// The objects of a pickle.
#[derive(Debug)]
pub struct Pickle {
    objects: Vec<Object>,
    root: Place,
}

impl Pickle {
    /// Reads a pickle of protocol 2.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = Reader { rest: bytes, ..Reader::default() };
        let root = reader.run()?;
        Ok(Self { objects: reader.objects, root })
    }

    /// The whole.
    pub fn root(&self) -> &Object {
        self.at(self.root)
    }

    /// The object at a place.
    pub fn at(&self, place: Place) -> &Object {
        self.objects.get(place).unwrap_or(&Object::None)
    }

    /// The entries of a dictionary whose keys are texts; none of other objects.
    pub fn entries<'p>(&'p self, object: &'p Object) -> impl Iterator<Item = (&'p str, &'p Object)> {
        let entries = if let Object::Dict(entries) = object { entries.as_slice() } else { &[] };
        entries.iter().filter_map(|&(key, value)| match self.at(key) {
            Object::Text(key) => Some((key.as_str(), self.at(value))),
            _ => None,
        })
    }

    /// The value of a key of a dictionary.
    pub fn get<'p>(&'p self, object: &'p Object, key: &str) -> Option<&'p Object> {
        self.entries(object).find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// The elements of a list; none of other objects.
    pub fn elements(&self, object: &Object) -> Vec<&Object> {
        if let Object::List(all) = object { all.iter().map(|&at| self.at(at)).collect() } else { Vec::new() }
    }
}

#[derive(Default)]
struct Reader<'b> {
    rest: &'b [u8],
    objects: Vec<Object>,
    stack: Vec<Place>,
    /// Where lists of arguments begin on the stack.
    marks: Vec<usize>,
    memo: FxHashMap<u32, Place>,
}

impl<'b> Reader<'b> {
    fn run(&mut self) -> Result<Place, String> {
        loop {
            match self.array::<1>()?[0] {
                b'.' => return self.pop(),
                0x80 => drop(self.array::<1>()?),
                b'(' => self.marks.push(self.stack.len()),
                b'N' => self.push(Object::None),
                at @ 0x88..=0x89 => self.push(Object::Bool(at == 0x88)),
                b'K' => self.int::<1>()?,
                b'M' => self.int::<2>()?,
                b'J' => {
                    let number = i32::from_le_bytes(self.array()?);
                    self.push(Object::Int(number.into()));
                }
                0x8a => self.long()?,
                b'G' => {
                    let number = f64::from_be_bytes(self.array()?);
                    self.push(Object::Float(number));
                }
                b'X' => {
                    let length = u32::from_le_bytes(self.array()?) as usize;
                    let text = self.take(length)?;
                    let text = str::from_utf8(text).map_err(|_| "a text that is no UTF-8")?.to_owned();
                    self.push(Object::Text(text));
                }
                b'c' => {
                    let (module, name) = (self.line()?, self.line()?);
                    if !MODULES.contains(&module.split('.').next().unwrap_or_default()) {
                        return Err(truncated(&format!("a pickle that imports {module}.{name}")));
                    }
                    self.push(Object::Name(format!("{module}.{name}")));
                }
                b'q' => self.remember::<1>()?,
                b'r' => self.remember::<4>()?,
                b'h' => self.recall::<1>()?,
                b'j' => self.recall::<4>()?,
                b']' | b')' => self.push(Object::List(Vec::new())),
                b'}' => self.push(Object::Dict(Vec::new())),
                b't' => {
                    let all = self.since_mark()?;
                    self.push(Object::List(all));
                }
                count @ 0x85..=0x87 => {
                    let from = self.stack.len().checked_sub(usize::from(count - 0x84)).ok_or(EMPTY)?;
                    let all = self.stack.split_off(from);
                    self.push(Object::List(all));
                }
                b'a' => {
                    let one = self.pop()?;
                    self.append(vec![one])?;
                }
                b'e' => {
                    let all = self.since_mark()?;
                    self.append(all)?;
                }
                b's' => {
                    let (value, key) = (self.pop()?, self.pop()?);
                    self.insert(&[key, value])?;
                }
                b'u' => {
                    let all = self.since_mark()?;
                    self.insert(&all)?;
                }
                b'R' | 0x81 => {
                    let (arguments, function) = (self.pop()?, self.pop()?);
                    let is_dict = self.objects[function] == Object::Name("collections.OrderedDict".to_owned());
                    self.push(if is_dict { Object::Dict(Vec::new()) } else { Object::Call(function, arguments) });
                }
                // The attributes of an object.
                b'b' => drop(self.pop()?),
                b'Q' => {
                    let outside = self.pop()?;
                    self.push(Object::Outside(outside));
                }
                other => return Err(format!("a pickle with the unknown operation {other}")),
            }
        }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], String> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("a pickle that is cut off")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        self.take(N).map(|taken| taken.try_into().unwrap_or([0; N]))
    }

    fn line(&mut self) -> Result<&'b str, String> {
        let end = self.rest.iter().position(|&byte| byte == b'\n').ok_or("a pickle that is cut off")?;
        let line = self.take(end + 1)?;
        str::from_utf8(&line[..end]).map_err(|_| "a name that is no UTF-8".to_owned())
    }

    fn unsigned<const N: usize>(&mut self) -> Result<u32, String> {
        Ok(self.array::<N>()?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn int<const N: usize>(&mut self) -> Result<(), String> {
        let number = self.unsigned::<N>()?;
        self.push(Object::Int(number.into()));
        Ok(())
    }

    fn long(&mut self) -> Result<(), String> {
        let length = usize::from(self.array::<1>()?[0]);
        let bytes = self.take(length)?;
        let mut number = [if bytes.last().is_some_and(|&last| last >= 0x80) { 0xff } else { 0 }; 8];
        number.get_mut(..length).ok_or("a number of more than 64 bits")?.copy_from_slice(bytes);
        self.push(Object::Int(i64::from_le_bytes(number)));
        Ok(())
    }

    fn push(&mut self, object: Object) {
        self.stack.push(self.objects.len());
        self.objects.push(object);
    }

    fn pop(&mut self) -> Result<Place, String> {
        self.stack.pop().ok_or_else(|| EMPTY.to_owned())
    }

    fn since_mark(&mut self) -> Result<Vec<Place>, String> {
        let mark = self.marks.pop().filter(|&mark| mark <= self.stack.len()).ok_or(EMPTY)?;
        Ok(self.stack.split_off(mark))
    }

    fn top(&mut self) -> Result<&mut Object, String> {
        let top = *self.stack.last().ok_or(EMPTY)?;
        Ok(&mut self.objects[top])
    }

    fn append(&mut self, all: Vec<Place>) -> Result<(), String> {
        // What a class makes of its elements is not looked at.
        if let Object::List(known) = self.top()? {
            known.extend(all);
        }
        Ok(())
    }

    fn insert(&mut self, all: &[Place]) -> Result<(), String> {
        if let Object::Dict(known) = self.top()? {
            known.extend(all.as_chunks().0.iter().map(|&[key, value]| (key, value)));
        }
        Ok(())
    }

    fn remember<const N: usize>(&mut self) -> Result<(), String> {
        let (number, top) = (self.unsigned::<N>()?, *self.stack.last().ok_or(EMPTY)?);
        self.memo.insert(number, top);
        Ok(())
    }

    fn recall<const N: usize>(&mut self) -> Result<(), String> {
        let number = self.unsigned::<N>()?;
        self.stack.push(*self.memo.get(&number).ok_or("a pickle that repeats what it does not have")?);
        Ok(())
    }
}

const EMPTY: &str = "a pickle that takes more objects than it has";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_and_nothing_runs() {
        // pickle.dumps({"a": [1, -2, 0.5, True, None], "b": collections.OrderedDict(c=300)}, protocol=2)
        let bytes =
            b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01J\xfe\xff\xff\xffG?\xe0\x00\x00\x00\x00\x00\x00\x88Ne\
            X\x01\x00\x00\x00bq\x03ccollections\nOrderedDict\nq\x04)Rq\x05X\x01\x00\x00\x00cq\x06M,\x01su.";
        let pickle = Pickle::parse(bytes).unwrap();
        let list = pickle.get(pickle.root(), "a").unwrap();
        let expected = [Object::Int(1), Object::Int(-2), Object::Float(0.5), Object::Bool(true), Object::None];
        assert_eq!(pickle.elements(list).into_iter().cloned().collect::<Vec<_>>(), expected);
        assert_eq!(pickle.get(pickle.get(pickle.root(), "b").unwrap(), "c"), Some(&Object::Int(300)));
        for (bytes, part) in [
            (&b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R."[..], "imports os.system"),
            (b"\x80\x02X\xff\xff\xff\xffabc", "cut off"),
            (b"\x80\x02}", "cut off"),
            (b"e.", "more objects"),
            (b"\x87.", "more objects"),
            (b"h\x07.", "repeats"),
            (b"\xff", "unknown operation"),
        ] {
            let found = Pickle::parse(bytes).unwrap_err();
            assert!(found.contains(part), "{found}");
        }
        // Deep nesting, and lists that hold each other many times over.
        Pickle::parse(&[&[b']'][..], &[0x85; 1_000_000], b"."].concat()).unwrap();
        Pickle::parse(&[&b"]q\x00"[..], &b"h\x00a".repeat(100), b"."].concat()).unwrap();
    }
}
