use crate::support::machine_wide;
use oversleep_os::settings::memory_lock;

#[test]
fn memory_is_locked_and_let_go() {
    let _turn = machine_wide();
    let before = memory_lock::read().unwrap();
    match memory_lock::apply(true) {
        Ok(guard) => {
            assert!(guard.obtained());
            assert!(memory_lock::read().unwrap());
            drop(guard);
        }
        Err(refusal) => println!("not tested: {refusal}"),
    }
    assert_eq!(memory_lock::read().unwrap(), before);
}
