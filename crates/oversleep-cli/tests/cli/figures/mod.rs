//! One check of every figure that is shown, over recordings of all kinds: in the documents, in text, in Markdown, in pictures, and on
//! the page as a browser shows it, beside the exact ones. Those are computed here from the samples that `export` writes.

mod exact;
mod shown;

use crate::support::{finish, name, oversleep, run};
use exact::{Figure, Group, Row, compare};
use oversleep_recording::Recording;
use oversleep_recording::file::Reader;
use serde_json::Value;
use shown::{Table, agrees, durations, headings_of, of_markdown, of_page, of_picture, of_text, plain};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Simulated recordings, which are the same on every machine.
const SIMULATED: [(&str, &str); 11] = [
    ("methods", "linux-2.6-hrtimer -m nanosleep,select -r 100us,1ms,10ms -n 700"),
    ("slacks", "linux-server -r 1ms --slack 1ns,50us,1ms -n 3000"),
    ("ticks", "freebsd-4.9 -r 1ms -n 300"),
    ("sweep", "freebsd-8-hz4000 -e sweep"),
    ("seconds", "dragonfly-1.0 -e wall-second"),
    ("load", "windows-98 -e load"),
    ("schedule", "linux-2.4 -i 7ms -n 3100"),
    ("random", "linux-guest -r 200us..60ms -n 900"),
    ("early", "freertos -r 25ms -n 500"),
    ("threads", "linux-server -r 1ms -n 400 -t 3"),
    ("one", "linux-2.6-hrtimer -n 1"),
];

/// Commands that make a recording on this machine, of each kind. Some of them need privileges, two processors or another program.
const MEASURED: [(&str, &str); 9] = [
    ("processors", "measure -r 1ms -n 300 -t 2 -a 0,1 --one-cpu-each"),
    ("busy", "measure -r 200us -n 120 -l 0,1"),
    ("periods", "measure -i 1ms -n 400"),
    ("late", "measure -r 1ms -n 300 --on-late 100us"),
    ("traced", "measure --trace -r 1ms -n 60"),
    ("stalls", "stalls -d=400ms --share=25%"),
    ("clocks", "clocks"),
    ("runtimes", "runtimes --only python -r 1ms -n 30"),
    ("attached", "attach -- sleep 0.3"),
];

/// Other programs' files, of samples.
const IMPORTED: [&str; 4] = [
    "imports/jitterdebugger-samples.csv",
    "imports/perf-6.1-timehist.txt",
    "kernels/deb250-hroff-nohzoff__methods.csv",
    "machines/hz100-hi__periodic.csv",
];

/// Other programs' files that count values in buckets of a microsecond.
const COUNTED: [&str; 3] = [
    "imports/cyclictest-2.4-h100.txt",
    "imports/cyclictest-2.10-h60.txt",
    "imports/cyclictest-2.4-H20-overflow.histfile",
];

/// What is known of a recording without the program's statistics.
#[derive(Default)]
struct Known {
    cells: Vec<Group>,
    /// Values that a file counts in buckets.
    counted: Vec<Group>,
    /// What every period of a schedule felt, by cell.
    corrected: Vec<Group>,
    /// By the heading of the first column of a table of groups and its key.
    groups: BTreeMap<(&'static str, String), Group>,
    /// The cells' groups by processor and by load, as pictures have them.
    parts: Vec<Group>,
}

/// Number and lateness of each wake-up of a schedule's thread, and the number of periods asked for.
type Wakes = (Vec<(i64, i64)>, i64);

/// Puts a wrong figure into what is shown.
type Change<'a> = &'a dyn Fn(&mut Shown);

/// Flag of a call that failed: it is in no figure.
const FAILED: u64 = 4;

impl Known {
    fn read(csv: &str) -> Self {
        let (head, lines) = csv.split_once('\n').expect("a head");
        let names: Vec<&str> = head.split(',').collect();
        let mut known = Self::default();
        let mut parts: BTreeMap<(&str, String, String), Group> = BTreeMap::new();
        // Of a schedule, by cell and thread: number and lateness of each wake-up, and the number of periods.
        let mut wakes: BTreeMap<(usize, String), Wakes> = BTreeMap::new();
        for line in lines.lines() {
            let line: Vec<&str> = line.split(',').collect();
            let text = |column: &str| line[names.iter().position(|name| *name == column).expect(column)].to_owned();
            let number = |column: &str| text(column).parse::<i64>().unwrap_or_default();
            if number("flags").unsigned_abs() & FAILED != 0 {
                continue;
            }
            let (cell, late) = (usize::try_from(number("cell")).unwrap(), number("oversleep_ns"));
            if cell >= known.cells.len() {
                known.cells.resize_with(cell + 1, Group::default);
            }
            let (method, requested) = (text("method"), number("requested_ns"));
            let add = |group: &mut Group| {
                group.method.clone_from(&method);
                let (least, most) = if group.late.is_empty() { (requested, requested) } else { group.requested };
                group.requested = (least.min(requested), most.max(requested));
                group.late.push(late);
            };
            add(&mut known.cells[cell]);
            let cpu = if text("cpu").is_empty() { "not known".to_owned() } else { text("cpu") };
            for (kind, key) in [("processor", &cpu), ("thread", &text("thread")), ("busy threads", &text("load"))] {
                add(known.groups.entry((kind, key.clone())).or_default());
            }
            // Pictures have a row for each processor or load of each cell, or of all that differ in nothing else.
            add(parts.entry(("cpu of cell", cpu.clone(), cell.to_string())).or_default());
            add(parts.entry(("cpu", cpu, String::new())).or_default());
            add(parts.entry(("load of method", text("load"), method.clone() + &requested.to_string())).or_default());
            add(parts.entry(("load", text("load"), String::new())).or_default());
            if text("pattern") == "periodic" {
                let (wakes, asked) = wakes.entry((cell, text("thread"))).or_default();
                wakes.push((number("sequence"), late));
                *asked = if text("periods").is_empty() { i64::MAX } else { number("periods") };
            }
        }
        known.corrected = known.cells.iter().map(|cell| Group { late: Vec::new(), ..cell.clone() }).collect();
        for ((cell, _), (wakes, asked)) in wakes {
            let group = &mut known.corrected[cell];
            for (at, (sequence, late)) in wakes.iter().enumerate() {
                let next = wakes.get(at + 1).map_or(asked, |(next, _)| *next);
                group.late.push(*late);
                // Each period that passed without a wake-up of its own waited from its deadline until this one.
                let felt = (1..next - sequence).map(|periods| late - periods * group.requested.0);
                group.late.extend(felt.take_while(|late| *late >= 0));
            }
        }
        known.parts = parts.into_values().collect();
        let all = known.cells.iter_mut().chain(&mut known.corrected).chain(&mut known.parts);
        all.chain(known.groups.values_mut()).for_each(|group| group.late.sort_unstable());
        known
    }

    /// Adds what sleeps took of the processor, from the notes of one of our own recordings.
    fn with_costs(mut self, file: &str) -> Self {
        let Ok(mut reader) = Reader::open(Path::new(file)) else { return self };
        let mut recording = Recording::new(reader.meta().clone());
        reader.read_into(&mut recording).expect("a whole recording");
        for (at, group) in self.cells.iter_mut().enumerate() {
            let costs: Vec<_> = recording.note.costs.iter().filter(|cost| cost.cell as usize == at).collect();
            let sleeps = costs.iter().map(|cost| cost.sleeps).sum::<u64>() as f64;
            let time = costs.iter().map(|cost| cost.processor.get()).sum::<i64>() as f64;
            let woken = costs.iter().map(|cost| cost.wake_ups).sum::<Option<u64>>();
            group.cost = (sleeps > 0.0).then(|| (time / sleeps, woken.map(|woken| woken as f64 / sleeps)));
        }
        self
    }

    /// Reads a histogram of cyclictest: a line for each microsecond with each thread's count, then the least, the largest and those
    /// beyond the last line. A last column of sums has no thread of its own below.
    fn of_counts(text: &str) -> Self {
        let numbers =
            |line: &str| -> Vec<i64> { line.split_whitespace().filter_map(|word| word.parse().ok()).collect() };
        let after = |key: &str| {
            text.lines().find_map(|line| line.trim_start_matches("# ").strip_prefix(key)).map(numbers).expect(key)
        };
        let threads = text.lines().filter(|line| line.contains("Thread ")).count();
        let (largest, beyond) = (after("Max Latencies:"), after("Histogram Overflows:"));
        let lines: Vec<Vec<i64>> =
            text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).map(numbers).collect();
        let ends = lines.last().map_or(0, |line| line[0]) + 1;
        let group = |thread: usize| {
            let mut group = Group { method: format!("cyclictest thread {thread}"), ..Group::default() };
            let mut add = |from: i64, to: i64, count: i64| {
                group.late.extend((0..count).map(|_| from * 1000));
                group.most.extend((0..count).map(|_| to * 1000 - 1));
            };
            for line in &lines {
                add(line[0], line[0] + 1, line[thread + 1]);
            }
            // The largest itself is stated.
            add(ends, largest[thread] + 1, beyond[thread] - 1);
            add(largest[thread], largest[thread] + 1, 1);
            group
        };
        Self { counted: (0..threads).map(group).collect(), ..Self::default() }
    }

    /// Holds the figures of buckets in a document; returns how many were compared.
    fn distributions(&self, place: &str, shown: &Value, faults: &mut Vec<String>) -> usize {
        for (at, group) in self.counted.iter().enumerate() {
            let found = &shown[at];
            let mut is = |key: &str, shown: &Value, exact: Option<i64>| {
                if shown.as_i64() != exact {
                    faults.push(format!("{place}: distribution {at}: {key} is {shown}, and is {exact:?}"));
                }
            };
            is("n", &found["n"], i64::try_from(group.late.len()).ok());
            is("min_ns", &found["min_ns"], group.late.first().copied());
            is("max_ns", &found["max_ns"], group.most.last().copied());
            for (key, heading) in [("p50", "p50"), ("p90", "p90"), ("p99", "p99"), ("p999", "p99.9")] {
                let Some(Figure::Range(bounds)) = group.figure(heading) else { panic!("bounds") };
                is(&format!("{key} low"), &found[key]["low_ns"], bounds.map(|bounds| bounds.0));
                is(&format!("{key} high"), &found[key]["high_ns"], bounds.map(|bounds| bounds.1));
            }
        }
        11 * self.counted.len()
    }

    /// Holds budgets in a document: their parts are the quantile, to the nanosecond.
    fn budgets(&self, place: &str, cells: &Value, faults: &mut Vec<String>) -> usize {
        let mut compared = 0;
        for (at, cell) in array(cells).iter().enumerate() {
            for (key, of, all) in [("p50_ns", 1, 2), ("p99_ns", 99, 100)] {
                let Some(parts) = cell["budget"][key].as_object() else { continue };
                let sum = parts.values().filter_map(Value::as_i64).sum::<i64>();
                let exact = self.cells.get(at).and_then(|group| group.quantile(of, all));
                compared += 1;
                if Some(sum) != exact {
                    faults.push(format!("{place}: cell {at}: the parts of {key} are {sum} ns, and it is {exact:?}"));
                }
            }
        }
        compared
    }

    /// Returns the groups that a table's rows can be.
    fn of_table(&self, table: &Table, row: &Row) -> Vec<&Group> {
        if row.label.starts_with("corrected") || row.label.ends_with(", every period") {
            return self.corrected.iter().collect();
        }
        match self.groups.iter().find(|((first, key), _)| *first == table.first && *key == row.label) {
            Some((_, group)) => vec![group],
            None => self.cells.iter().chain(&self.counted).filter(|cell| !cell.late.is_empty()).collect(),
        }
    }

    /// Holds all tables of a place against the exact figures.
    fn tables(&self, place: &str, tables: &[Table], faults: &mut Vec<String>) -> usize {
        let mut compared = 0;
        for table in tables {
            // Rows of a group are alone; the others have to be different cells.
            let (grouped, cells): (Vec<_>, Vec<_>) =
                table.rows.iter().cloned().partition(|row| self.of_table(table, row).len() == 1);
            for row in grouped {
                let group = self.of_table(table, &row);
                let row = Row { label: String::new(), ..row };
                compared += compare(&format!("{place}, {}", table.first), &[row], &group, faults);
            }
            let (felt, raw): (Vec<_>, Vec<_>) = cells
                .into_iter()
                .partition(|row| row.label.starts_with("corrected") || row.label.ends_with(", every period"));
            for rows in [felt, raw] {
                let Some(row) = rows.first() else { continue };
                compared += compare(place, &rows, &self.of_table(table, row), faults);
            }
        }
        compared
    }

    /// Holds the cells of a document against the exact figures, to the nanosecond.
    fn document(&self, place: &str, cells: &Value, faults: &mut Vec<String>) -> usize {
        const KEYS: [(&str, &str); 9] = [
            ("n", "n"),
            ("early", "early"),
            ("min_ns", "min"),
            ("mean_ns", "mean"),
            ("sd_ns", "sd"),
            ("p50_ns", "p50"),
            ("p90_ns", "p90"),
            ("p99_ns", "p99"),
            ("p999_ns", "p99.9"),
        ];
        let mut compared = 0;
        for (at, cell) in array(cells).iter().enumerate() {
            let empty = Group::default();
            let raw = (cell, self.cells.get(at).unwrap_or(&empty));
            for (key, exact) in
                [("processor_ns", raw.1.cost.map(|cost| cost.0)), ("wake_ups", raw.1.cost.and_then(|cost| cost.1))]
            {
                compared += 1;
                let shown = cell["cost"][key].as_f64();
                if shown.is_some() != exact.is_some()
                    || !shown.zip(exact).is_none_or(|(a, b)| (a - b).abs() <= 1e-9 * b)
                {
                    faults.push(format!("{place}: cell {at}: {key} of a sleep is {shown:?}, and is {exact:?}"));
                }
            }
            let felt = (&cell["corrected"], self.corrected.get(at).unwrap_or(&empty));
            for (figures, group) in [raw, felt].into_iter().filter(|(figures, _)| figures.is_object()) {
                let ends = match group.figure("95 %") {
                    Some(Figure::Range(ends)) => ends,
                    _ => None,
                };
                let max = group.late.last().copied();
                let ranges = [
                    ("p50_low_ns", ends.map(|ends| ends.0)),
                    ("p50_high_ns", ends.map(|ends| ends.1)),
                    ("max_ns", max),
                ];
                let of = |heading: &str| match group.figure(heading) {
                    Some(Figure::Count(count)) => Some(count as f64),
                    Some(Figure::Time(time)) => time,
                    _ => None,
                };
                let exact = KEYS.iter().map(|(key, heading)| (*key, of(heading)));
                for (key, exact) in exact.chain(ranges.map(|(key, ns)| (key, ns.map(|ns| ns as f64)))) {
                    compared += 1;
                    let shown = figures[key].as_f64();
                    let near = |(shown, exact): (f64, f64)| (shown - exact).abs() <= 1e-9 * exact.abs();
                    if shown.is_some() != exact.is_some() || !shown.zip(exact).is_none_or(near) {
                        faults.push(format!("{place}: cell {at}: {key} is {shown:?}, and is {exact:?}"));
                    }
                }
            }
        }
        compared
    }
}

/// Returns every time that a headline may name: of the samples, what was asked, and the sizes of findings and budgets.
fn named(known: &Known, document: &Value) -> Vec<f64> {
    const HEADINGS: [&str; 6] = ["min", "p50", "p90", "p99", "p99.9", "max"];
    fn sizes(value: &Value, into: &mut Vec<f64>) {
        match value {
            Value::Number(number) => into.extend(number.as_f64()),
            Value::Array(all) => all.iter().for_each(|one| sizes(one, into)),
            Value::Object(all) => all.values().for_each(|one| sizes(one, into)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for group in known.cells.iter().chain(&known.corrected) {
        all.extend([group.requested.0, group.requested.1].map(|ns| ns as f64));
        all.extend(HEADINGS.iter().filter_map(|heading| match group.figure(heading) {
            Some(Figure::Time(time)) => time,
            _ => None,
        }));
    }
    for group in &known.counted {
        let bounds = |heading: &&str| match group.figure(heading) {
            Some(Figure::Range(Some((low, high)))) => vec![low as f64, high as f64 + 1.0],
            _ => Vec::new(),
        };
        all.extend(HEADINGS.iter().flat_map(bounds));
    }
    sizes(document, &mut all);
    // Of stalls, the time for which processors were watched.
    let processors = array(&document["measured"]["stalls"]["processors"]);
    let watched =
        |one: &Value| one["elapsed_ns"].as_f64().unwrap_or_default() - one["paused_ns"].as_f64().unwrap_or_default();
    all.push(processors.iter().map(watched).sum());
    // Early ones are told without a sign.
    all.iter().flat_map(|ns| [*ns, -ns]).collect()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What is shown of one recording.
struct Shown {
    json: Value,
    /// What `explain` prints.
    explained: String,
    text: String,
    markdown: String,
    pictures: Vec<(String, String)>,
    page: String,
    /// The page's tables as a browser shows them; `None` without one.
    browser: Option<String>,
}

impl Shown {
    fn read(file: &str, folder: &Path) -> Self {
        let shown = |words: &[&str]| finish(oversleep().env("COLUMNS", "400").args(["report", file]).args(words)).out;
        let pictures = ["ranking", "load", "processors"].iter().flat_map(|plot| {
            let out = name(folder, "picture.svg");
            let svg = finish(oversleep().args(["report", file, "--plot", plot, "-o", &out, "--force"]));
            let texts = |svg: String| {
                svg.split("<text")
                    .skip(1)
                    .map(|text| {
                        format!(" {}\n", plain(&format!("<text{}", text.split("</text>").next().unwrap_or_default())))
                    })
                    .collect()
            };
            let svg = if svg.code == Some(0) { texts(fs::read_to_string(&out).unwrap()) } else { String::new() };
            [(format!("--plot {plot}"), shown(&["--plot", plot])), (format!("{plot}.svg"), svg)]
        });
        let pictures = pictures.collect();
        let page = name(folder, "page.html");
        let made = run(&["report", file, "-o", &page, "--force"]);
        assert_eq!(made.code, Some(0), "{}", made.err);
        Self {
            json: serde_json::from_str(&shown(&["--json"])).expect("a document"),
            explained: finish(oversleep().env("COLUMNS", "400").args(["explain", file])).out,
            text: shown(&[]),
            markdown: shown(&["--markdown"]),
            pictures,
            browser: rendered(Path::new(&page)),
            page: fs::read_to_string(&page).unwrap(),
        }
    }

    /// Returns what contradicts the exact figures, and how many figures were compared.
    fn check(&self, known: &Known) -> (Vec<String>, usize) {
        let mut faults = Vec::new();
        let mut compared = known.document("JSON", &self.json["cells"], &mut faults);
        compared += known.tables("text", &of_text(&self.text), &mut faults);
        compared += known.tables("Markdown", &of_markdown(&self.markdown), &mut faults);
        for (place, picture) in &self.pictures {
            let parts: Vec<&Group> = known.parts.iter().chain(&known.cells).collect();
            compared += compare(place, &of_picture(picture), &parts, &mut faults);
        }
        let document =
            self.page.split_once("id=\"document\">").and_then(|(_, rest)| rest.split_once("</script>")).unwrap().0;
        let document: Value = serde_json::from_str(document).expect("the page's document");
        let recording = &document["recordings"][0];
        compared += known.document("page", &recording["measured"]["cells"], &mut faults);
        compared += known.distributions("JSON", &self.json["distributions"], &mut faults);
        compared += known.distributions("page", &recording["measured"]["distributions"], &mut faults);
        compared += known.budgets("page", &recording["explained"]["cells"], &mut faults);
        compared += self.budgets(&recording["explained"]["cells"], &mut faults);
        compared += self.traces(known, &recording["traces"], &mut faults);
        for (at, cell) in recording["cells"].as_array().unwrap().iter().enumerate() {
            let drawn: BTreeMap<i64, u64> =
                serde_json::from_value::<Vec<(i64, u64)>>(cell["histogram"].clone()).unwrap().into_iter().collect();
            compared += drawn.len();
            if known.cells.get(at).is_some_and(|group| group.bins() != drawn) {
                faults.push(format!("page: the picture of cell {at} has other counts than its sleeps"));
            }
        }
        // What a late sleep is made of is from its trace.
        let headline = recording["headline"].as_str().unwrap().split(" late: ").next().unwrap_or_default();
        // The shares of runtimes are in their own document.
        let shares = named(known, if self.json["apis"].is_array() { &self.json } else { &Value::Null });
        let (all, times) = ([named(known, recording), shares].concat(), durations(headline));
        compared += times.len();
        let unknown = times.iter().filter(|time| !all.iter().any(|exact| agrees(time, Figure::Time(Some(*exact)))));
        faults.extend(unknown.map(|time| format!("headline: {time} is no figure of the recording: {headline}")));
        compared += self.clocks(&mut faults);
        if let Some(page) = &self.browser {
            compared += known.tables("the page in a browser", &of_page(page), &mut faults);
        }
        (faults, compared)
    }
}

impl Shown {
    /// Holds the budgets that `explain` prints, and those of the page, against the documents'; returns how many times were compared.
    fn budgets(&self, cells: &Value, faults: &mut Vec<String>) -> usize {
        let mut compared = 0;
        let agree = |shown: &str, ns: i64| agrees(shown, Figure::Time(Some(ns as f64)));
        for line in self.explained.lines().filter(|line| line.ends_with(" unexplained") && !cells.is_null()) {
            let columns = headings_of(line);
            let [.., quantile, late, parts] = columns[..] else { continue };
            let budgets: Vec<_> =
                array(cells).iter().filter_map(|cell| cell["budget"][format!("{quantile}_ns")].as_object()).collect();
            let parts =
                parts.split(" + ").filter_map(|part| part.rsplit_once(' ')).map(|(time, cause)| (Some(cause), time));
            // Of rows of several cells each time is a range, whose ends some cells have.
            for (cause, shown) in parts.chain([(None, late)]) {
                let (from, to) = shown.split_once(" to ").unwrap_or((shown, shown));
                let sizes = || {
                    budgets.iter().map(|parts| match cause {
                        Some(cause) => parts.get(cause).and_then(Value::as_i64).unwrap_or(0),
                        None => parts.values().filter_map(Value::as_i64).sum(),
                    })
                };
                compared += 1;
                if !sizes().any(|ns| agree(from, ns)) || !sizes().any(|ns| agree(to, ns)) {
                    faults.push(format!("explain: no cell has {shown} {cause:?}: {line}"));
                }
            }
        }
        let page = self.browser.as_deref().unwrap_or_default();
        let legends = page.split("class=\"budgets\"").skip(1).filter_map(|part| part.split("</ul>").next());
        for entry in legends.flat_map(|legend| legend.split("<li").skip(1)) {
            let entry = plain(&format!("<li{entry}"));
            let Some((cause, sizes)) = entry.split_once(" p50 ") else { continue };
            let (p50, p99) = sizes.split_once(", p99 ").unwrap_or((sizes, ""));
            let size =
                |cell: &Value, key: &str| cell["budget"][key][cause.trim().replace(' ', "-")].as_i64().unwrap_or(0);
            let fits =
                |cell: &Value| agree(p50, size(cell, "p50_ns")) && (p99.is_empty() || agree(p99, size(cell, "p99_ns")));
            compared += 1;
            if !array(cells).iter().any(fits) {
                faults.push(format!("the page in a browser: no cell has the part: {entry}"));
            }
        }
        compared
    }

    /// Holds the parts of traced sleeps against their lateness, and the table of parts against the sleeps; returns how many figures
    /// were compared.
    fn traces(&self, known: &Known, traces: &Value, faults: &mut Vec<String>) -> usize {
        let mut compared = 0;
        for traced in array(traces) {
            let whole: Vec<&Value> =
                array(&traced["sleeps"]).iter().filter(|sleep| sleep["incomplete"].is_null()).collect();
            for sleep in &whole {
                let (late, sequence) = (sleep["oversleep_ns"].as_i64(), &sleep["sequence"]);
                let sum = array(&sleep["times_ns"]).iter().filter_map(Value::as_i64).sum::<i64>();
                compared += 1;
                if late != Some(sum) || !known.cells.iter().any(|cell| cell.late.binary_search(&sum).is_ok()) {
                    faults.push(format!("page: the parts of traced sleep {sequence} are {sum} ns of {late:?}"));
                }
            }
            let summary = &traced["trace"]["trace"];
            if summary["complete"].as_u64() != u64::try_from(whole.len()).ok() {
                continue;
            }
            for (at, (name, part)) in array(&traced["parts"]).iter().zip(array(&summary["parts"])).enumerate() {
                let mut late: Vec<i64> = whole.iter().filter_map(|sleep| sleep["times_ns"][at].as_i64()).collect();
                late.sort_unstable();
                let times = Group { late, ..Group::default() };
                let name = name.as_str().unwrap_or_default();
                let text =
                    self.explained.lines().map(headings_of).find(|columns| columns.len() > 4 && columns[0] == name);
                for (key, heading, column) in
                    [("p50_ns", "p50", 3), ("p99_ns", "p99", 4), ("mean_ns", "mean", usize::MAX)]
                {
                    let Some(Figure::Time(exact)) = times.figure(heading) else { panic!("a time") };
                    let shown = part["spread"][key].as_f64();
                    let near = |(shown, exact): (f64, f64)| (shown - exact).abs() <= 1e-9 * exact.abs();
                    let in_text = text.as_ref().and_then(|columns| columns.get(column));
                    compared += 1;
                    if shown.is_some() != exact.is_some() || !shown.zip(exact).is_none_or(near) {
                        faults.push(format!("page: {name}: {key} is {shown:?}, and is {exact:?}"));
                    }
                    if in_text.is_some_and(|shown| !agrees(shown, Figure::Time(exact))) {
                        faults.push(format!("explain: {name}: {heading} is shown as {in_text:?}, and is {exact:?}"));
                    }
                }
            }
        }
        compared
    }

    /// Holds what a reading of each clock costs against the time and number of the readings; returns how many were compared.
    fn clocks(&self, faults: &mut Vec<String>) -> usize {
        let clocks = array(&self.json["clocks"]);
        for clock in clocks {
            let name = clock["clock"].as_str().unwrap_or_default();
            let cost = array(&clock["costs"]).last().unwrap_or(&Value::Null);
            let Some(exact) = cost["total_ns"].as_f64().zip(cost["calls"].as_f64()).map(|(ns, calls)| ns / calls)
            else {
                continue;
            };
            let mut lines = self.text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            let shown = lines
                .find(|words| {
                    words.first() == Some(&name) && words.get(1).is_some_and(|cost| cost.parse::<f64>().is_ok())
                })
                .map(|words| format!("{} ns", words[1]));
            for (place, shown) in [("text", shown), ("JSON", cost["per_call_ns"].as_f64().map(|ns| format!("{ns} ns")))]
            {
                if !shown.as_ref().is_some_and(|shown| agrees(shown, Figure::Time(Some(exact)))) {
                    faults
                        .push(format!("{place}: a reading of {name} is shown to cost {shown:?}, and costs {exact} ns"));
                }
            }
        }
        2 * clocks.len()
    }
}

/// Returns the page's document once its scripts have run; `None` without a browser.
fn rendered(page: &Path) -> Option<String> {
    let switches = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom"];
    let profile = tempfile::tempdir().unwrap();
    let shown = Command::new("chromium")
        .args(switches)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(page)
        .output()
        .ok()?;
    let document = String::from_utf8(shown.stdout).ok()?;
    document.contains("data-ready").then_some(document)
}

/// Checks one recording; returns what contradicts its exact figures.
fn check(name: &str, file: &str, folder: &Path) -> Vec<String> {
    let known = if COUNTED.contains(&name) {
        Known::of_counts(&fs::read_to_string(file).unwrap())
    } else {
        Known::read(&run(&["export", file, "--csv"]).out).with_costs(file)
    };
    let shown = Shown::read(file, folder);
    let (mut faults, compared) = shown.check(&known);
    if compared < 20 {
        faults.push(format!("only {compared} figures compared"));
    }
    if shown.browser.is_none() {
        println!("not tested: the page of {name} as a browser shows it: there is no chromium");
    }
    faults.into_iter().map(|fault| format!("{name}: {fault}")).collect()
}

#[test]
fn figures_of_simulated_recordings_are_exact_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for (name, words) in SIMULATED {
        let file = crate::support::name(folder.path(), &format!("{name}.arrows"));
        let made = run(&["simulate", "-q", "-o", &file].into_iter().chain(words.split(' ')).collect::<Vec<_>>());
        assert_eq!(made.code, Some(0), "{name}: {}", made.err);
        faults.extend(check(name, &file, folder.path()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn figures_of_measured_recordings_are_exact_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for (name, words) in MEASURED {
        let file = crate::support::name(folder.path(), &format!("{name}.arrows"));
        let (command, rest) = words.split_once(' ').unwrap_or((words, ""));
        let rest = rest.split(' ').filter(|word| !word.is_empty());
        let made = run(&[command, "-o", &file].into_iter().chain(rest).collect::<Vec<_>>());
        if made.code != Some(0) {
            println!("not tested: figures of {name}: {}", made.err.lines().last().unwrap_or_default());
            continue;
        }
        faults.extend(check(name, &file, folder.path()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn figures_of_other_programs_files_are_exact_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oversleep-lab/tests/data");
    for name in IMPORTED.into_iter().chain(COUNTED) {
        faults.extend(check(name, &data.join(name).display().to_string(), folder.path()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Puts one wrong figure into each place, which has to be found there.
#[test]
fn a_wrong_figure_is_found_wherever_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "methods.arrows");
    assert_eq!(run(&["simulate", "-q", "-o", &file, "linux-2.4", "-m", "nanosleep,select", "-n", "700"]).code, Some(0));
    let known = Known::read(&run(&["export", &file, "--csv"]).out);
    let right = || Shown::read(&file, folder.path());
    assert_eq!(right().check(&known).0, [""; 0]);
    let wrong = |change: &dyn Fn(&mut Shown)| {
        let mut shown = right();
        change(&mut shown);
        shown.check(&known).0.join("\n")
    };
    let Some(Figure::Time(Some(p50))) = known.cells[0].figure("p50") else { panic!("a median") };
    let text = |ns: f64| oversleep_sys::units::Nanos::from_f64(ns).to_string();
    let (p50, other) = (text(p50), text(p50 * 1.01));
    assert_ne!(p50, other);
    let places: [(&str, Change); 9] = [
        ("JSON", &|shown| shown.json["cells"][1]["p99_ns"] = 1.into()),
        ("text", &|shown| shown.text = shown.text.replace(&p50, &other)),
        ("Markdown", &|shown| shown.markdown = shown.markdown.replace(&format!("| {p50} |"), &format!("| {other} |"))),
        ("ranking.svg", &|shown| {
            shown.pictures[1].1 = shown.pictures[1].1.replacen(&format!("p50 {p50}"), &format!("p50 {other}"), 1);
        }),
        ("page", &|shown| shown.page = shown.page.replacen("\"p50_ns\":", "\"p50_ns\":1", 1)),
        // A sleep in another bin.
        ("picture of cell", &|shown| shown.page = shown.page.replacen("\"histogram\":[[", "\"histogram\":[[1", 1)),
        ("the parts of", &|shown| shown.page = shown.page.replacen("\"unexplained\":", "\"unexplained\":1", 1)),
        ("explain", &|shown| shown.explained = shown.explained.replacen(" unexplained", "1 unexplained", 1)),
        ("processor_ns", &|shown| shown.json["cells"][0]["cost"]["processor_ns"] = 1.into()),
    ];
    for (place, change) in places {
        let found = wrong(change);
        assert!(found.contains(place), "{place}: {found}");
    }
    let (key, bounds) = ("p99", Figure::Range(Some((20_000, 20_999))));
    assert!(agrees("20.0 to 21.0 µs", bounds) && !agrees("20.0 to 22.0 µs", bounds) && !agrees("20.0 µs", bounds));
    let counted =
        Known::of_counts("000001 000030\n# Max Latencies: 00009\n# Histogram Overflows: 00010\n# Thread 0: 1");
    let mut faults = Vec::new();
    let of = |low: i64, high: i64| serde_json::json!({ "low_ns": low, "high_ns": high });
    let shown = serde_json::json!([{ "n": 40, "min_ns": 1000, "max_ns": 9999, "p50": of(1000, 1999), "p90": of(2000, 9999), key: null }]);
    counted.distributions("JSON", &shown, &mut faults);
    assert_eq!(faults, [""; 0], "forty values carry no {key}");
    counted.distributions("JSON", &serde_json::json!([{ "n": 40, "p50": of(1000, 2000) }]), &mut faults);
    assert!(faults.iter().any(|fault| fault.contains("p50 high is 2000, and is Some(1999)")), "{faults:?}");
    let in_browser = wrong(&|shown| {
        shown.browser =
            shown.browser.take().map(|page| page.replace(&format!("strong\">{p50}"), &format!("strong\">{other}")));
    });
    assert!(right().browser.is_none() || in_browser.contains("the page in a browser"), "{in_browser}");
}
