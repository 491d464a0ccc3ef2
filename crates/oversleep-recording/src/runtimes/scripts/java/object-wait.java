class Api extends Sleeper {
    // A wait of zero would be for ever.
    synchronized void sleep(long nanos) throws Exception {
        wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
    }
}
