package main

import "time"

const mode = "sleep"

var block = oneByOne(time.Sleep)
