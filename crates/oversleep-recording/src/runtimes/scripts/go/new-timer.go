package main

import "time"

const mode = "sleep"

var block = oneByOne(func(request time.Duration) { <-time.NewTimer(request).C })
