//! Updates the checksum of a model file after a change by hand: `cargo run --example seal_model -- MODEL`.

use std::path::Path;

use tribunal::files::{Input, Output};
use tribunal::model::{Model, checksum};

fn main() -> tribunal::Result<()> {
    for name in std::env::args().skip(1) {
        let text = checksum::seal(&Input::File(name.clone().into()).read_to_string(1 << 26)?);
        Model::parse(&text, &name)?;
        let mut output = Output::create(Some(Path::new(&name)))?;
        output.write(text.as_bytes())?;
        output.finish()?;
    }
    Ok(())
}
