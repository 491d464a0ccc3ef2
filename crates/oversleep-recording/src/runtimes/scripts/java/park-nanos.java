class ParkNanos extends Sleeper {
    void sleep(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
