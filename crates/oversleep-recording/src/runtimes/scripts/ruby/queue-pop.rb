abort "this version's Queue#pop has no timeout" if (RUBY_VERSION.split(".").map(&:to_i) <=> [3, 2]) < 0

NOTHING = Queue.new

def pause(seconds)
  NOTHING.pop(timeout: seconds)
end
