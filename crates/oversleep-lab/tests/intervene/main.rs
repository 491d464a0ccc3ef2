//! What the intervention witness says of recordings whose truth is known: simulated kernels, and made-up sleeps.

mod kernels;
mod made;
mod null;
mod sizes;
mod together;
