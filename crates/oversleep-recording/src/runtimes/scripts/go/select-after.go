package main

import "time"

const mode = "sleep"

var never = make(chan int)

var block = oneByOne(func(request time.Duration) {
	select {
	case <-never:
	case <-time.After(request):
	}
})
