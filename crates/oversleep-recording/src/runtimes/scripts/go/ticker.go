package main

import "time"

const mode = "schedule"

// Each tick is a row, from the previous tick to this one.
func block(request time.Duration, count int) []row {
	rows := make([]row, count)
	last := now()
	ticker := time.NewTicker(request)
	defer ticker.Stop()
	for n := range rows {
		<-ticker.C
		rows[n] = row{last, now()}
		last = rows[n].end
	}
	return rows
}
