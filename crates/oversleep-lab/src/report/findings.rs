//! Findings and budgets for the terminal.
