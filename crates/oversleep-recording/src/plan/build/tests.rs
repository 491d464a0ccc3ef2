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
        wall_second(nanosleep, 200, &none, 1),
        sweep(&[nanosleep], &sweep_requests(Nanos::MICROSECOND, Nanos::SECOND), 20, &none, 1),
        load(nanosleep, 50, &[0, 1, 5], crate::plan::LoadKind::Spin, &none, 1),
        periodic(nanosleep, Nanos::MILLISECOND, 1_000, &none, 1),
        schedules(&[nanosleep, MethodId::ClockNanosleepAbs.row()], Nanos::MILLISECOND, 1_000, &none, 1),
    ];
    for plan in plans {
        assert!(plan.cells.iter().enumerate().all(|(place, cell)| cell.id as usize == place), "{}", plan.kind);
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
        for plan in [wall_second(nanosleep, count, &none[0], 1), measure(&grid, count, 1)] {
            assert!(plan.turns.len() <= 10_002, "{count}: {} turns", plan.turns.len());
            assert!(plan.cells.iter().all(|cell| slept(&plan, cell.id) == count), "{count}");
        }
    }
}

#[test]
fn the_sweep_covers_a_microsecond_to_ten_seconds() {
    let requests = sweep_requests(Nanos::MICROSECOND, Nanos::from_secs(10));
    assert_eq!(requests.len(), 22);
    assert_eq!((requests[0], requests[21]), (Nanos::MICROSECOND, Nanos::from_secs(10)));
    let plan = sweep(&[MethodId::Nanosleep.row()], &requests, 20, &Conditions::default(), 1);
    assert_eq!((slept(&plan, 0), slept(&plan, 21)), (20, 2));
}

#[test]
fn a_sweep_over_everything_ends() {
    assert_eq!(sweep_requests(Nanos::ZERO, Nanos::MAX).len(), 57);
}

#[test]
fn traced_sleeps_take_turns_with_untraced_ones_and_leave_the_other_cells_their_numbers() {
    let nanosleep = MethodId::Nanosleep.row();
    let none = [Conditions::default()];
    let requests = [1, 2].map(|ms| Pattern::fixed(Nanos::from_millis(ms)));
    let grid = Grid { rows: &[nanosleep], requests: &requests, conditions: &none };
    let plan = traced(&grid, Blocks { sleeps: 50, block: 20, traced_first: false }, 1);
    let turns: Vec<_> = plan.turns.iter().map(|turn| (turn.cell, turn.sleeps)).collect();
    assert_eq!(turns[..6], [(0, 20), (2, 20), (2, 20), (0, 20), (0, 10), (2, 10)]);
    let pairs: Vec<_> = plan.traced_pairs().iter().map(|(untraced, traced)| (untraced.id, traced.id)).collect();
    assert_eq!(pairs, [(0, 2), (1, 3)]);
    assert_eq!(plan.untraced().cells.iter().map(|cell| cell.id).collect::<Vec<_>>(), [0, 1]);

    let base = measure(&grid, 10, 1);
    let both = with_traced(base.clone(), &[1], Blocks { sleeps: 5, block: 20, traced_first: true });
    assert_eq!(both.untraced(), base);
    assert_eq!(both.turns[0], crate::plan::Turn { cell: 3, sleeps: 5 });
    let (untraced, traced) = both.traced_twin(&base.cells[1]).unwrap();
    assert_eq!((untraced.id, untraced.conditions.traced), (2, Some(false)));
    assert_eq!((traced.id, traced.conditions.traced), (3, Some(true)));
    assert!(both.traced_twin(&base.cells[0]).is_none());
}
