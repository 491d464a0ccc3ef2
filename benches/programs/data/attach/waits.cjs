// Timers of 5 ms, one after the other.
const [log, count] = process.argv.slice(2);
const rows = [];
let start = process.hrtime.bigint();
function again() {
  rows.push(`5000000,${start},${process.hrtime.bigint()}\n`);
  if (rows.length < +count) {
    start = process.hrtime.bigint();
    setTimeout(again, 5);
  } else require("fs").writeFileSync(log, rows.join(""));
}
setTimeout(again, 5);
