class Api extends Sleeper {
    void sleep(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
