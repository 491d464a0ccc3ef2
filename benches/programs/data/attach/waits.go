// Sleeps of 5 ms of one goroutine.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func now() int64 {
	var at syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&at)), 0)
	return at.Nano()
}

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	var log strings.Builder
	for range count {
		start := now()
		time.Sleep(5 * time.Millisecond)
		fmt.Fprintf(&log, "5000000,%d,%d\n", start, now())
	}
	if os.WriteFile(os.Args[1], []byte(log.String()), 0o644) != nil {
		os.Exit(1)
	}
}
