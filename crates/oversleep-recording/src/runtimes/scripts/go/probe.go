// Every Go probe has this part, which implements oversleep's protocol; `block` is in the other file.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"
)

// Go gives only differences of its monotonic clock: this is its zero, and a handshake relates it to oversleep's clock.
var zero = time.Now()

func now() int64 { return int64(time.Since(zero)) }

var stats debug.GCStats

func collections() int64 {
	debug.ReadGCStats(&stats)
	return stats.NumGC
}

var busy atomic.Bool

// One of the goroutines that compute during a block of sleeps.
func work() {
	for n := 0; n%10_000 != 0 || busy.Load(); n++ {
	}
}

type row struct{ start, end int64 }

func oneByOne(sleep func(time.Duration)) func(time.Duration, int) []row {
	return func(request time.Duration, count int) []row {
		rows := make([]row, count)
		for n := range rows {
			rows[n].start = now()
			sleep(request)
			rows[n].end = now()
		}
		return rows
	}
}

func main() {
	cost, last := int64(1)<<40, now()
	for n := 0; n < 200; n++ {
		next := now()
		cost, last = min(cost, next-last), next
	}
	load, _ := strconv.Atoi(os.Getenv("OVERSLEEP_LOAD"))
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(out, "# oversleep-probe 1 clock=own mode=%s cost_ns=%d load=%d runtime=Go %s\n", mode, cost, load, runtime.Version()[2:])
	out.Flush()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); out.Flush() {
		if in.Text() == "anchor" {
			fmt.Fprintf(out, "# anchor %d\n", now())
			continue
		}
		var request int64
		var count int
		fmt.Sscan(in.Text(), &request, &count)
		busy.Store(true)
		for n := 0; n < load; n++ {
			go work()
		}
		before := collections()
		rows := block(time.Duration(request), count)
		busy.Store(false)
		// Go does not tell during which sleep a collection took place: they are counted.
		fmt.Fprintf(out, "# collections %d\nrequested_ns,start_ns,end_ns\n", collections()-before)
		for _, row := range rows {
			fmt.Fprintf(out, "%d,%d,%d\n", request, row.start, row.end)
		}
		fmt.Fprintln(out)
	}
}
