class ThreadSleep extends Sleeper {
    void sleep(long nanos) throws Exception {
        Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
    }
}
