const schedule = true;

// Each tick is a row, from the previous tick to this one.
const block = (ms, count) =>
  new Promise((done) => {
    const rows = [];
    let last = now();
    const timer = setInterval(() => {
      const tick = now();
      rows.push([last, tick]);
      last = tick;
      if (rows.length === count) {
        clearInterval(timer);
        done(rows);
      }
    }, ms);
  });
