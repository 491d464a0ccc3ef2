MUTEX = Mutex.new
CONDITION = ConditionVariable.new

def pause(seconds)
  MUTEX.synchronize { CONDITION.wait(MUTEX, seconds) }
end
