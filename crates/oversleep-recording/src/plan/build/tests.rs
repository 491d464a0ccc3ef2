use super::*;
use crate::catalog::{MethodId, ROWS};

fn slept(plan: &Plan, cell: u32) -> u64 {
    plan.turns.iter().filter(|turn| turn.cell == cell).map(|turn| turn.sleeps).sum()
}

#[test]
fn cells_are_numbered_by_their_place() {
    let nanosleep = MethodId::Nanosleep.row();
    let none = Conditions::default();
    let plans = [
        checkup(ROWS.iter(), 1),
        herman(nanosleep, 200, &none, 1),
        rizzo(&[nanosleep], &rizzo_requests(Nanos::MICROSECOND, Nanos::SECOND), 20, &none, 1),
        oneill(nanosleep, 50, &[0, 1, 5], crate::plan::LoadKind::Spin, &none, 1),
        periodic(nanosleep, Nanos::MILLISECOND, 1_000, &none, 1),
    ];
    for plan in plans {
        assert!(plan.cells.iter().enumerate().all(|(place, cell)| cell.id as usize == place), "{}", plan.experiment);
        assert!(plan.turns.iter().all(|turn| (turn.cell as usize) < plan.cells.len() && turn.sleeps > 0));
    }
}

#[test]
fn turns_give_each_cell_its_repeats_and_mix_the_cells() {
    let plan = checkup(ROWS.iter().take(3), 1);
    assert!((0..3).all(|cell| slept(&plan, cell) == 300));
    assert_eq!(plan.turns[..4].iter().map(|turn| turn.cell).collect::<Vec<_>>(), [0, 1, 2, 0]);
}

#[test]
fn any_number_of_sleeps_makes_a_plan_that_fits_in_memory() {
    let nanosleep = MethodId::Nanosleep.row();
    let none = [Conditions::default()];
    let grid =
        Grid { rows: &[nanosleep, nanosleep], requests: &[Pattern::fixed(Nanos::MILLISECOND)], conditions: &none };
    for count in [1, 9, 10_000, 10_001, 1 << 40, u64::MAX] {
        for plan in [herman(nanosleep, count, &none[0], 1), measure(&grid, count, 1)] {
            assert!(plan.turns.len() <= 10_002, "{count}: {} turns", plan.turns.len());
            assert!(plan.cells.iter().all(|cell| slept(&plan, cell.id) == count), "{count}");
        }
    }
}

#[test]
fn the_sweep_covers_a_microsecond_to_ten_seconds() {
    let requests = rizzo_requests(Nanos::MICROSECOND, Nanos::from_secs(10));
    assert_eq!(requests.len(), 22);
    assert_eq!((requests[0], requests[21]), (Nanos::MICROSECOND, Nanos::from_secs(10)));
    let plan = rizzo(&[MethodId::Nanosleep.row()], &requests, 20, &Conditions::default(), 1);
    assert_eq!((slept(&plan, 0), slept(&plan, 21)), (20, 2));
}

#[test]
fn a_sweep_over_everything_ends() {
    assert_eq!(rizzo_requests(Nanos::ZERO, Nanos::MAX).len(), 57);
}
