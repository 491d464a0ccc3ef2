class ObjectWait extends Sleeper {
    // A wait of zero would never end.
    synchronized void sleep(long nanos) throws Exception {
        wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
    }
}
