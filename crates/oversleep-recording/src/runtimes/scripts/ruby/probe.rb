# Every Ruby probe ends with this part, which implements oversleep's protocol; `pause(seconds)` precedes it.
def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
end

load = ENV.fetch("OVERSLEEP_LOAD", "0").to_i
readings = Array.new(200) { now }
cost = readings.each_cons(2).map { |a, b| b - a }.min
puts "# oversleep-probe 1 clock=monotonic mode=sleep cost_ns=#{cost} load=#{load} runtime=Ruby #{RUBY_VERSION}"
$stdout.flush
$stdin.each_line do |line|
  request, count = line.split.map(&:to_i)
  seconds = request / 1e9
  # Threads that compute during the block, and hold the interpreter's lock meanwhile.
  busy = true
  threads = Array.new(load) { Thread.new { 10_000.times {} while busy } }
  rows = Array.new(count) do
    before = GC.count
    start = now
    pause(seconds)
    [request, start, now, GC.count - before]
  end
  busy = false
  threads.each(&:join)
  puts "requested_ns,start_ns,end_ns,gc"
  rows.each { |row| puts row.join(",") }
  puts
  $stdout.flush
end
